// SPDX-License-Identifier: GPL-3.0-or-later

/// The lines of the Jabber accounts, and the people whom they call.
@MainActor
public final class JabberLines {
    private let lines: LineRegistry
    private let messenger: Messenger

    public init(_ lines: LineRegistry, _ messenger: Messenger) {
        (self.lines, self.messenger) = (lines, messenger)
    }

    /// Whether there is any line that calls people.
    public var isEmpty: Bool { all.isEmpty }

    /// Returns the line that calls a person; nil if there is none.
    ///
    /// It is that of the account if one is given, else of an account that has the person among its buddies, else the
    /// first; of several, one that is available.
    public func line(for person: ChatAddress, account: ChatAddress? = nil) -> (any Line)? {
        if let account { return line(of: account) }
        let holders = accounts(with: person).compactMap { line(of: $0) }
        let candidates = holders.isEmpty ? all : holders
        return candidates.first { $0.state == .available } ?? candidates.first
    }

    /// Returns the line of an account; nil if it has none.
    public func line(of account: ChatAddress) -> (any Line)? {
        all.first { CallAddress($0.address) == .jabber(ChatAddress(account.text.lowercased())) }
    }

    /// Returns whether a person is a buddy on any account.
    public func isBuddy(_ person: ChatAddress) -> Bool { !accounts(with: person).isEmpty }

    /// Returns the conversation with a person: with a buddy, if the person is one on any account.
    public func conversation(with person: ChatAddress) -> ConversationID? {
        accounts(with: person).first.map { ConversationID(person, of: $0) }
    }

    /// Returns the name of a buddy; nil for anybody else, and without a name.
    public func name(of person: ChatAddress) -> String? {
        let name = conversation(with: person).map { messenger.buddies.name(of: $0) }
        return name == person.text ? nil : name
    }

    /// Returns the picture that a buddy has published, as an image file; nil for anybody else, and without one.
    public func picture(of person: ChatAddress) -> [UInt8]? {
        conversation(with: person).flatMap { messenger.buddies.picture(of: $0) }
    }

    private var all: [any Line] { lines.lines.filter { $0.calls == .people } }

    private func accounts(with person: ChatAddress) -> [ChatAddress] {
        messenger.chats.compactMap { chat in
            guard let row = chat.buddies.row(of: person), row.isListed, !row.isBlocked, row.room == nil,
                !row.isOperator
            else { return nil }
            return chat.account
        }
    }
}
