// SPDX-License-Identifier: GPL-3.0-or-later

/// The hash of a file's content (XEP-0300), of one of the functions that the phone computes.
public struct FileHash: Hashable, Sendable {
    /// The functions, the preferred one first; the value is the name in XEP-0300.
    public enum Function: String, CaseIterable, Sendable {
        case sha256 = "sha-256"
        case sha512 = "sha-512"

        var length: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    public let function: Function
    /// The bytes as lowercase hexadecimal digits.
    public let digits: String

    /// Creates a hash; nil if the bytes are more or fewer than those of the function.
    public init?(_ function: Function, bytes: [UInt8]) {
        guard bytes.count == function.length else { return nil }
        self.function = function
        digits = Hexadecimal.digits(of: bytes)
    }

    /// Creates a hash; nil if the digits are no hexadecimal ones, or more or fewer than those of the function.
    public init?(_ function: Function, digits: String) {
        guard let bytes = Hexadecimal.bytes(digits.utf8) else { return nil }
        self.init(function, bytes: bytes)
    }

    public var bytes: [UInt8] { Hexadecimal.bytes(digits.utf8) ?? [] }
}
