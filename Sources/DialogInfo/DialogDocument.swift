// SPDX-License-Identifier: GPL-3.0-or-later

/// A document about the dialogs of an extension (RFC 4235, section 4.1), whose texts its server chooses.
public struct DialogDocument: Hashable, Sendable {
    /// The number of the document in its subscription.
    public var version: Int
    /// Whether it has all dialogs, and not only those that changed.
    public var isFull: Bool
    /// The address of the extension.
    public var entity: String
    /// The dialogs in their order, at most `maximumDialogs`.
    public var dialogs: [Dialog]

    /// The greatest size of a document, in bytes.
    public static let maximumSize = 32_768
    /// The greatest number of dialogs that are read; more change nothing for a lamp.
    public static let maximumDialogs = 64
    /// The greatest length of an attribute or a text, in bytes; a longer one counts as missing.
    public static let maximumLength = 700

    public init(version: Int, isFull: Bool, entity: String, dialogs: [Dialog]) {
        (self.version, self.isFull, self.entity, self.dialogs) = (version, isFull, entity, dialogs)
    }
}

/// A dialog of an extension, as its server describes it; texts that are missing are empty.
public struct Dialog: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case trying, proceeding, early, confirmed, terminated
    }

    /// The id in the documents of one subscription.
    public var id: String
    public var state: State
    /// Whether the extension has called; otherwise it is called, or its server does not say.
    public var isInitiator: Bool
    /// The parts of its identifier (RFC 3261, section 12), with the tag of the extension and that of its far end.
    public var callID, localTag, remoteTag: String
    /// The address of the far end, the address for requests to it, and its name.
    public var remote, target, remoteName: String

    public init(
        id: String, state: State, isInitiator: Bool = false, callID: String = "", localTag: String = "",
        remoteTag: String = "", remote: String = "", target: String = "", remoteName: String = ""
    ) {
        (self.id, self.state, self.isInitiator) = (id, state, isInitiator)
        (self.callID, self.localTag, self.remoteTag) = (callID, localTag, remoteTag)
        (self.remote, self.target, self.remoteName) = (remote, target, remoteName)
    }
}

extension Dialog {
    /// Whether the far end calls the extension, which has not answered.
    public var rings: Bool { !isInitiator && state != .confirmed && state != .terminated }

    /// The field Replaces of a call that takes over this one while it rings, and only then (RFC 3891, section 3); nil if it rings
    /// no more, or if its server does not say enough.
    public var replaces: String? {
        guard rings, Self.isWord(callID), Self.isToken(localTag), Self.isToken(remoteTag) else { return nil }
        // The far end made the call that it is to give up: its own tag is the extension's remote one.
        return "\(callID);to-tag=\(remoteTag);from-tag=\(localTag);early-only"
    }

    /// Returns whether a text is a token (RFC 3261, section 25.1).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || Self.marks.contains($0) }
    }

    /// Returns whether a text can be a Call-ID, without the characters that begin or end something else in a field.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                isAlphanumeric($0) || Self.marks.contains($0) || Self.others.contains($0)
            }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    private static let marks = Set("-.!%*_+`'~".utf8)
    private static let others = Set("():/[]?{}@".utf8)
}
