// SPDX-License-Identifier: GPL-3.0-or-later

/// The way in which a message was protected between the devices of both sides.
public enum Protection: Hashable, Sendable {
    /// In the clear, where nothing else was expected.
    case none
    /// In the clear, although its conversation is encrypted.
    case exposed
    /// By encryption, with the trust in the sender’s key when the message came; a message of the user’s waits until it is
    /// encrypted.
    case encrypted(KeyTrust)
    /// By an encryption that this device could not undo.
    case unreadable(UnreadableReason)

    public var isEncrypted: Bool { if case .encrypted = self { true } else { false } }
}

/// The reason why an encrypted message cannot be read here.
public enum UnreadableReason: Int, Hashable, Sendable, CaseIterable {
    /// The encryption is not one that the phone knows.
    case unknownMethod
    /// The sender did not encrypt it for this device.
    case notForThisDevice
    /// The two devices do not agree on their keys any more, or its keys have been used.
    case brokenSession
    /// The sender’s device has another key than before, which nobody has confirmed.
    case changedKey
    /// It is not what the encryption makes, or was changed on the way.
    case malformed
    /// In a room: the sender’s address is not known.
    case unknownSender

    /// The sentence in place of the text.
    public var sentence: String {
        switch self {
        case .unknownMethod: localized("This message is encrypted, and Touchtone can’t read it.")
        case .notForThisDevice: localized("This message was not encrypted for this device.")
        case .brokenSession:
            localized("This message could not be decrypted. New keys were exchanged: ask for it again.")
        case .changedKey:
            localized("This message could not be decrypted, because the sender’s key has changed.")
        case .malformed: localized("This message was damaged or changed on its way, and is not shown.")
        case .unknownSender:
            localized("This message could not be decrypted, because the room hides who sent it.")
        }
    }
}

extension Protection {
    /// The number in the store’s file; other numbers mean `none`.
    public var number: Int {
        switch self {
        case .none: 0
        case .exposed: 1
        case .encrypted(let trust): 10 + trust.rawValue
        case .unreadable(let reason): 20 + reason.rawValue
        }
    }

    public init(number: Int) {
        switch number {
        case 1: self = .exposed
        case 10..<20: self = KeyTrust(rawValue: number - 10).map { .encrypted($0) } ?? .none
        case 20..<30: self = UnreadableReason(rawValue: number - 20).map { .unreadable($0) } ?? .none
        default: self = .none
        }
    }
}
