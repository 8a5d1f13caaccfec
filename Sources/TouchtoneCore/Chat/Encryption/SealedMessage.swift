// SPDX-License-Identifier: GPL-3.0-or-later

/// A message as it is encrypted for devices (XEP-0384 version 0.3, section 4.5).
public struct SealedMessage: Hashable, Sendable {
    /// The key of the text, encrypted for a device.
    public struct Key: Hashable, Sendable {
        /// The number of the device, whose account is not told.
        public let device: UInt32
        public let bytes: [UInt8]
        /// Whether it begins a session.
        public let isPreKey: Bool

        public init(device: UInt32, bytes: [UInt8], isPreKey: Bool) {
            (self.device, self.bytes, self.isPreKey) = (device, bytes, isPreKey)
        }
    }

    /// The number of the sender’s device.
    public let device: UInt32
    public let keys: [Key]
    /// The initialization vector of the text, 12 or 16 bytes.
    public let vector: [UInt8]
    /// The encrypted text; nil if the message only exchanges keys.
    public let payload: [UInt8]?

    public init(device: UInt32, keys: [Key], vector: [UInt8], payload: [UInt8]?) {
        (self.device, self.keys) = (device, keys)
        (self.vector, self.payload) = (vector, payload)
    }
}

/// The content of an encrypted message.
public struct OpenedMessage: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case text(String)
        /// Nothing: it only exchanged keys.
        case keys
        /// A text that was opened before, and is stored.
        case repetition
        case unreadable(UnreadableReason)
    }

    public let content: Content
    /// The sender’s device; nil if it is not known.
    public let sender: DeviceAddress?
    /// The trust in the sender’s key.
    public let trust: KeyTrust
    /// Whether the sender waits for a sign of life of this device: it has begun a session, or sent much without an answer.
    public let wantsAnswer: Bool
    /// Whether one of the published keys of this device was used.
    public let usedPreKey: Bool
    /// Whether a new session with the sender’s device is needed.
    public let needsSession: Bool

    public init(
        _ content: Content, from sender: DeviceAddress? = nil, trust: KeyTrust = .undecided,
        wantsAnswer: Bool = false, usedPreKey: Bool = false, needsSession: Bool = false
    ) {
        (self.content, self.sender, self.trust) = (content, sender, trust)
        (self.wantsAnswer, self.usedPreKey, self.needsSession) = (wantsAnswer, usedPreKey, needsSession)
    }
}
