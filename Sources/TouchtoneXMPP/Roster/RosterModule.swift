// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The buddies of an account: the roster, their presence, requests to see the user's, and the block list.
@MainActor
final class RosterModule: StreamModule {
    private let account: AccountContext
    private let notifications: SharedNotifications
    private let invitations: Invitations

    init(of account: AccountContext, _ notifications: SharedNotifications, _ invitations: Invitations) {
        (self.account, self.notifications, self.invitations) = (account, notifications, invitations)
    }

    func begin() { account.emit(account.roster.begin()) }

    func forget() { account.roster = RosterState() }

    func handle(_ stanza: InboundStanza) -> Bool {
        switch stanza {
        case .presence(let presence): handle(presence)
        case .roster(let change, _):
            account.emit(account.roster.change(change))
            for item in change.items where item.subscription == .remove {
                invitations.remove(usedBy: item.jid)
            }
        case .blocking(let change, _):
            account.emit(account.roster.change(change))
            if case .blocked(let jids) = change { for jid in jids { invitations.remove(usedBy: jid) } }
        case .message, .sentElsewhere, .published, .request, .answered, .response, .archived, .dropped: break
        }
        return false
    }

    private func handle(_ presence: Presence) {
        if let buddy = invited(presence) { return accept(buddy) }
        switch account.roster.handle(presence) {
        case .events(let events): account.emit(events)
        case .mutual(let jid): account.client.send(Presence(.subscribed, to: jid).element)
        }
    }
}

// MARK: - Invitations

extension RosterModule {
    /// Returns the person whose request is the answer to an invitation of the user's; nil for any other presence.
    private func invited(_ presence: Presence) -> JID? {
        guard presence.kind == .subscribe, let person = presence.from?.bare,
            !account.roster.blocked.contains(ChatAddress(person)),
            invitations.takeToken(of: presence, by: person)
        else { return nil }
        return person
    }

    /// Accepts a person's request, and requests the person's presence as well.
    private func accept(_ person: JID) {
        let buddy = ChatAddress(person)
        account.client.send(Presence(.subscribed, to: person).element)
        let record = account.roster.record(of: buddy)
        if record?.tellsMe != true, record?.isAsked != true {
            account.client.send(Presence(.subscribe, to: person).element)
        }
        account.emit(account.roster.answered(buddy) + account.roster.setDeclined(false, buddy))
    }
}

// MARK: - Requests

extension RosterModule: RosterService {
    func setMuted(_ isMuted: Bool, _ buddy: ChatAddress) {
        notifications.set(isMuted ? .never : .always, for: buddy)
    }

    /// Adds a buddy, requests its presence, and approves its own request in advance.
    func add(
        _ buddy: ChatAddress, name: String, invitation token: String = ""
    ) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        guard jid != account.client.account.jid.bare else {
            throw .refused(localized("This is your own address."))
        }
        let groups = try await groups(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.account.client.setBuddy(jid, name: name, groups: groups)
        }
        let record = account.roster.record(of: buddy)
        if record?.tellsMe != true {
            let proof = token.isEmpty ? [] : [Preauthentication.element(token)]
            account.client.send(Presence(.subscribe, to: jid, extensions: proof).element)
            account.emit(account.roster.setDeclined(false, buddy))
        }
        // A buddy that I add may see my presence, which saves a request to answer (RFC 6121 section 3.4).
        if record?.toldByMe != true, account.roster.isAsking(buddy) || account.client.hasPreapproval {
            account.client.send(Presence(.subscribed, to: jid).element)
        }
    }

    func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        let groups = try await groups(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.account.client.setBuddy(jid, name: name, groups: groups)
        }
    }

    func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        try await asking { () throws(RequestError) in try await self.account.client.removeBuddy(jid) }
    }

    func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.account.client.setBlocked(isBlocked, jid)
        }
    }

    /// Answers a subscription request; accepting it requests the buddy's presence as well.
    func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        guard account.client.state == .online else { throw .offline }
        guard !accept else { return self.accept(jid) }
        account.client.send(Presence(.unsubscribed, to: jid).element)
        account.emit(account.roster.answered(buddy) + account.roster.setDeclined(true, buddy))
    }

    /// Returns a buddy's groups, which have to be sent again with each change of the item.
    private func groups(of buddy: ChatAddress) async throws(ChatServiceError) -> [String] {
        if let groups = account.roster.groups(of: buddy) { return groups }
        let list = try await asking { () throws(RequestError) in try await self.account.client.roster() }
        if let list { account.emit(account.roster.handle(list)) }
        return account.roster.groups(of: buddy) ?? []
    }

    private func address(of buddy: ChatAddress) throws(ChatServiceError) -> JID {
        guard let jid = buddy.jid else { throw .refused(localized("This is not a valid address.")) }
        return jid
    }

    private func asking<Value: Sendable>(
        _ question: @MainActor () async throws(RequestError) -> Value
    ) async throws(ChatServiceError) -> Value {
        do throws(RequestError) {
            return try await question()
        } catch {
            throw ChatServiceError(error)
        }
    }
}
