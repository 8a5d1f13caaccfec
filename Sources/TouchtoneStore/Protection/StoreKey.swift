// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSodium
internal import TouchtoneCore

/// The key of an encrypted file: 256 random bits.
///
/// The file begins with a mark, in place of the salt that a password would need. It tells an encrypted file from a
/// damaged one, and names the key, by which the keyring is asked. The name is a hash of the key, so that another key is
/// recognized before the file is touched.
final class StoreKey: Sendable {
    /// The number of bytes of a key.
    static let size = 32
    /// The number of bytes of the mark, as of SQLCipher's salt.
    static let markSize = 16
    private static let signature = Array("Touchtone".utf8)

    private let bytes: [UInt8]
    /// The name, in hexadecimal digits.
    let name: String

    private init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }

    /// Creates a key from its bytes; nil if their number is wrong.
    convenience init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, sodium_init() >= 0 else { return nil }
        var hash = [UInt8](repeating: 0, count: Self.size)
        guard crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0) == 0 else {
            return nil
        }
        self.init(bytes, name: Hexadecimal.digits(of: hash.prefix(Self.markSize - Self.signature.count)))
    }

    /// Creates a key from the hexadecimal digits that the keyring has.
    convenience init?(digits: String) {
        guard let bytes = Hexadecimal.bytes(digits.utf8) else { return nil }
        self.init(bytes)
    }

    /// Returns a new random key; nil if libsodium cannot be used.
    static func random() -> StoreKey? {
        guard sodium_init() >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        randombytes_buf(&bytes, bytes.count)
        return StoreKey(bytes)
    }

    deinit {
        // Nobody else uses these bytes any more; what the keyring was given or gave is a text of its own.
        bytes.withUnsafeBytes { sodium_memzero(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) }
    }

    /// The key as the keyring has it.
    var digits: String { Hexadecimal.digits(of: bytes) }

    /// Calls `body` with the key and the mark as SQLCipher reads them, `x'…'`; the text is overwritten afterwards.
    func withSpecification<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = Array("x'".utf8)
        text.reserveCapacity(2 * (Self.size + Self.markSize) + 3)
        for byte in bytes { text += Hexadecimal.digits(of: [byte]).utf8 }
        for byte in Self.signature { text += Hexadecimal.digits(of: [byte]).utf8 }
        text += Array("\(name)'".utf8)
        defer { sodium_memzero(&text, text.count) }
        return text.withUnsafeBytes(body)
    }

    /// Returns the name of the key of a file that begins with these bytes; nil if it is not encrypted.
    static func name(inStart start: [UInt8]) -> String? {
        guard start.count >= markSize, start.starts(with: signature) else { return nil }
        return Hexadecimal.digits(of: start[signature.count..<markSize])
    }
}
