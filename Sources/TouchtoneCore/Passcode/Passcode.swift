// SPDX-License-Identifier: GPL-3.0-or-later

/// The digits that unlock the phone, of which only a hash is stored; printed, they are dots.
public struct Passcode: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The possible numbers of digits.
    public static let lengths = 4...8
    public static let usualLength = 4

    /// The digits, 0 to 9.
    public let digits: [UInt8]

    /// Creates a passcode from digits; nil if there are too few or too many, or if one is greater than 9.
    public init?(_ digits: [UInt8]) {
        guard Self.lengths.contains(digits.count), digits.allSatisfy({ $0 <= 9 }) else { return nil }
        self.digits = digits
    }

    /// Creates a passcode from typed text, which must consist of digits of any script; nil otherwise.
    public init?(_ text: String) {
        guard text.utf8.count <= 4 * Self.lengths.upperBound else { return nil }
        let digits = text.unicodeScalars.map { scalar -> UInt8? in
            guard scalar.properties.numericType == .decimal else { return nil }
            return scalar.properties.numericValue.map { UInt8($0) }
        }
        self.init(digits.compactMap { $0 })
        guard self.digits.count == digits.count else { return nil }
    }

    /// A dot for each digit.
    public var description: String { String(repeating: "•", count: digits.count) }

    /// An empty mirror, so that a dump does not reveal the passcode.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

public enum PasscodeHolder: String, Hashable, Sendable {
    /// The desktop's keyring (Secret Service).
    case keyring
    /// A file that only the user can read.
    case file
}

/// The public properties of the passcode that is set.
public struct PasscodeMark: Hashable, Sendable {
    /// The identifier, 32 hexadecimal digits stored with the hash; it outlives changes of the passcode, but
    /// not its removal.
    public let id: String
    public let holder: PasscodeHolder
    public let digits: Int

    /// Creates a mark; nil if a value is invalid.
    public init?(id: String, holder: PasscodeHolder, digits: Int) {
        guard Self.isID(id), Passcode.lengths.contains(digits) else { return nil }
        self.id = id
        self.holder = holder
        self.digits = digits
    }

    static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
