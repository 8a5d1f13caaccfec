// SPDX-License-Identifier: GPL-3.0-or-later

/// The key of a device, as an `xmpp:` link names it for verification: `omemo-sid-NUMBER=DIGITS`.
public struct LinkedKey: Hashable, Sendable {
    public let device: UInt32
    /// The public key without its type, 32 bytes.
    public let key: [UInt8]

    /// The greatest number of keys in a link; others are dropped.
    public static let maximumCount = 64
    static let name = "omemo-sid-"

    public init(device: UInt32, key: [UInt8]) { (self.device, self.key) = (device, key) }

    /// Parses a parameter of a link; nil if it is no key.
    init?(name: String, value: String) {
        let number = name.dropFirst(Self.name.count)
        guard name.hasPrefix(Self.name), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let device = UInt32(number), (1...UInt32(Int32.max)).contains(device), value.utf8.count == 64,
            let key = Hexadecimal.bytes(value.utf8)
        else { return nil }
        (self.device, self.key) = (device, key)
    }

    /// The parameter of a link.
    var text: String { "\(Self.name)\(device)=\(Hexadecimal.digits(of: key))" }

    /// Returns the different keys among the parts of a query; of two keys of one device, both, so that neither hides the other.
    static func keys(in parts: some Sequence<(name: String, value: String)>) -> [LinkedKey] {
        var keys: [LinkedKey] = []
        for part in parts {
            guard let key = LinkedKey(name: part.name, value: part.value), !keys.contains(key) else {
                continue
            }
            keys.append(key)
            if keys.count == maximumCount { break }
        }
        return keys
    }
}
