// SPDX-License-Identifier: GPL-3.0-or-later

/// The dialogs of an extension, as the documents of one subscription tell them (RFC 4235, section 4.3).
public struct DialogTable: Hashable, Sendable {
    /// The effect of a document.
    public enum Outcome: Hashable, Sendable {
        case applied
        /// It says what has changed since a document that did not arrive: the server has to be asked for all.
        case incomplete
        /// It is the last one again.
        case old
        /// It is older than the last one: it has come late, or its server counts anew, and has to be asked for all.
        case late
        /// It is about another extension.
        case foreign
    }

    public enum State: Hashable, Sendable { case unknown, free, ringing, busy }

    private let user: String
    private var version: Int?
    /// The version of the last document that was older; nil after one that was not.
    private var lateVersion: Int?
    private var dialogs: [Dialog] = []

    /// Creates the table of an extension with an address.
    public init(of address: String) { user = Self.user(of: address) }

    public var state: State {
        guard version != nil else { return .unknown }
        // A second call that rings can be picked up, too.
        return ringing != nil ? .ringing : dialogs.isEmpty ? .free : .busy
    }

    /// The call that rings, one that can be picked up if there is any; nil if none rings.
    public var ringing: Dialog? {
        dialogs.first { $0.replaces != nil } ?? dialogs.first(where: \.rings)
    }

    /// Forgets all, because a new subscription begins.
    public mutating func clear() { (version, lateVersion, dialogs) = (nil, nil, []) }

    /// Notes that the server knows of no dialogs: it has accepted the subscription, and has nothing to say.
    public mutating func noteNothing() {
        guard version == nil else { return }
        version = -1
    }

    public mutating func apply(_ document: DialogDocument) -> Outcome {
        // Servers write the host in different ways.
        guard Self.user(of: document.entity) == user else { return .foreign }
        if let version, document.version <= version {
            guard document.version < version else { return .old }
            // A server that has been started again goes on with small versions, in a subscription that it remembers.
            guard document.isFull, let lateVersion, document.version > lateVersion else {
                lateVersion = document.version
                return .late
            }
        }
        lateVersion = nil
        let isNext = version.map { document.version == $0 + 1 || $0 < 0 } ?? false
        version = document.version
        guard document.isFull else {
            for dialog in document.dialogs { change(dialog) }
            return isNext ? .applied : .incomplete
        }
        dialogs = []
        for dialog in document.dialogs { change(dialog) }
        return .applied
    }

    private mutating func change(_ dialog: Dialog) {
        let index = dialogs.firstIndex { $0.id == dialog.id }
        if dialog.state == .terminated {
            if let index { dialogs.remove(at: index) }
        } else if let index {
            dialogs[index] = dialog
        } else if dialogs.count < DialogDocument.maximumDialogs {
            dialogs.append(dialog)
        }
    }

    /// Returns the user of an address, without the scheme, the host and parameters.
    private static func user(of address: String) -> String {
        let rest = address.firstIndex(of: ":").map { address[address.index(after: $0)...] } ?? address[...]
        return String(rest.prefix { $0 != "@" && $0 != ";" && $0 != ">" })
    }
}
