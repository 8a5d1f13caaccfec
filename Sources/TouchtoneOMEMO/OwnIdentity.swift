// SPDX-License-Identifier: GPL-3.0-or-later

/// The identity of this device, with its secret.
public struct OwnIdentity: Hashable, Sendable {
    public let device: UInt32
    /// 33 bytes: 5, and the Curve25519 key.
    public let publicKey: [UInt8]
    /// 32 bytes.
    public let privateKey: [UInt8]

    public init(device: UInt32, publicKey: [UInt8], privateKey: [UInt8]) {
        self.device = device
        self.publicKey = publicKey
        self.privateKey = privateKey
    }
}

/// The key of a message, encrypted for one device.
public struct EncryptedKey: Hashable, Sendable {
    public let bytes: [UInt8]
    /// Tells whether it also begins a session.
    public let isPreKey: Bool

    public init(bytes: [UInt8], isPreKey: Bool) {
        self.bytes = bytes
        self.isPreKey = isPreKey
    }
}
