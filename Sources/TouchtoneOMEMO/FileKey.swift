// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The key of an encrypted file (XEP-0454).
public struct FileKey: Hashable, Sendable {
    /// 12 bytes, or 16 from older clients.
    public let iv: [UInt8]
    /// 32 bytes.
    public let key: [UInt8]

    /// Creates a key; nil if a length is wrong.
    public init?(iv: [UInt8], key: [UInt8]) {
        guard GCM.isIV(iv), key.count == Self.keyLength else { return nil }
        self.iv = iv
        self.key = key
    }

    /// Creates a key for a new file.
    public init() {
        iv = RandomBytes.make(12)
        key = RandomBytes.make(Self.keyLength)
    }

    static let keyLength = 32
}

/// The link to an encrypted file: its address, with the key in the fragment, which no server sees.
///
/// Do not open or log it. Messages have it as text.
public struct EncryptedFileLink: Hashable, Sendable {
    /// The address of the encrypted file, which begins with `https://`.
    public let address: String
    public let key: FileKey

    /// Creates the link to a file; nil if the address is not one of https, or has a fragment.
    public init?(address: String, key: FileKey) {
        guard let rest = Self.rest(of: address, scheme: "https://"), !rest.utf8.contains(UInt8(ascii: "#"))
        else { return nil }
        self.address = Self.https + rest
        self.key = key
    }

    /// Creates a link from the text of a message; nil if it is anything else.
    public init?(_ text: String) {
        guard let rest = Self.rest(of: text, scheme: "aesgcm://"),
            let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")),
            let bytes = Hexadecimal.bytes(rest[hash...].utf8.dropFirst()),
            let key = FileKey(
                iv: Array(bytes.dropLast(FileKey.keyLength)), key: Array(bytes.suffix(FileKey.keyLength)))
        else { return nil }
        self.init(address: Self.https + rest[..<hash], key: key)
    }

    /// The text of a message with this link.
    public var text: String {
        "aesgcm://\(address.dropFirst(Self.https.count))#\(Hexadecimal.digits(of: key.iv + key.key))"
    }

    private static let https = "https://"
    private static let maximumLength = 4096

    /// Returns the rest of a text after its scheme; nil for a different scheme, no host, or other than printable ASCII.
    private static func rest(of text: String, scheme: String) -> Substring? {
        guard text.utf8.count <= maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard let first = rest.first, !"/?#:@".contains(first) else { return nil }
        return rest
    }
}
