// SPDX-License-Identifier: GPL-3.0-or-later

/// The public keys that a device publishes, so that others can begin a session with it.
public struct KeyBundle: Hashable, Sendable {
    /// A key for the first message of one session.
    public struct PreKey: Hashable, Sendable {
        public let id: UInt32
        /// 33 bytes.
        public let key: [UInt8]

        public init(id: UInt32, key: [UInt8]) {
            self.id = id
            self.key = key
        }
    }

    /// The number of prekeys that a device publishes.
    public static let preKeyCount = 100
    /// The most prekeys of a bundle; clients publish 100.
    public static let maximumPreKeys = 1000

    public let identityKey: [UInt8]
    public let signedPreKeyID: UInt32
    public let signedPreKey: [UInt8]
    /// 64 bytes, over all 33 of the signed prekey.
    public let signature: [UInt8]
    public let preKeys: [PreKey]

    /// Creates a bundle; nil if a key, an id or the number of prekeys is not as the protocol requires.
    ///
    /// The signature is checked when a session begins.
    public init?(
        identityKey: [UInt8], signedPreKeyID: UInt32, signedPreKey: [UInt8], signature: [UInt8],
        preKeys: [PreKey]
    ) {
        // Without a prekey, the first message could be repeated.
        guard (1...Self.maximumPreKeys).contains(preKeys.count), signature.count == Self.signatureLength,
            Self.isPublicKey(identityKey), Self.isPublicKey(signedPreKey), Self.isID(signedPreKeyID),
            preKeys.allSatisfy({ Self.isPublicKey($0.key) && Self.isID($0.id) })
        else { return nil }
        self.identityKey = identityKey
        self.signedPreKeyID = signedPreKeyID
        self.signedPreKey = signedPreKey
        self.signature = signature
        self.preKeys = preKeys
    }

    static let signatureLength = 64

    /// Tells whether bytes are 5 and a Curve25519 key.
    ///
    /// The library takes 32 bytes for an Ed25519 key, of version 2.
    static func isPublicKey(_ bytes: [UInt8]) -> Bool { bytes.count == 33 && bytes.first == 5 }

    private static func isID(_ id: UInt32) -> Bool { id <= UInt32(Int32.max) }
}
