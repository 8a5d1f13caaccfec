// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The invitations that the account makes: by its server (XEP-0401), or by itself (XEP-0379).
@MainActor
final class Invitations: StreamModule, InvitationService {
    private static let node = "urn:xmpp:invite#invite"

    private let account: AccountContext
    /// The place where tokens are kept; nil keeps them until the program ends.
    var storage: EntryStorage?
    private var owner: JID?
    private var own = OwnInvitations()

    init(of account: AccountContext) { self.account = account }

    func forget() { (owner, own) = (nil, OwnInvitations()) }

    func invite() async throws(ChatServiceError) -> MadeInvitation {
        guard account.client.state == .online else { throw .offline }
        let jid = account.client.account.jid.bare
        do throws(RequestError) {
            if let made = try await made(for: jid) { return made }
        } catch {
            // A server that makes none, or none for this user, still passes requests on.
            guard case .refused = error else { throw ChatServiceError(error) }
        }
        guard account.client.account.jid.bare == jid else { throw .offline }
        return makeHere()
    }

    /// Uses up the token in a person's subscription request; returns whether it was one that counts.
    func takeToken(of request: Presence, by person: JID) -> Bool {
        guard let token = Preauthentication.token(in: request.extensions) else { return false }
        return change { $0.use(token, by: person, now: account.wall.now) }
    }

    /// Lets the tokens count no more that a person has used, because the user wants to be asked again.
    func remove(usedBy person: JID) { change { $0.remove(usedBy: person) } }

    private func change<Value>(_ body: (inout OwnInvitations) -> Value) -> Value {
        load(account.client.account.jid.bare)
        let before = own
        defer { if own != before { save() } }
        return body(&own)
    }

    // MARK: - By the server

    /// Requests an invitation of the server; returns nil if it makes none.
    private func made(for jid: JID) async throws(RequestError) -> MadeInvitation? {
        let client = account.client
        guard try await client.hasCommand(Self.node, at: jid.server),
            let values = try await client.execute(Self.node, at: jid.server)
        else { return nil }
        guard let made = MadeInvitation(values, by: jid) else { throw .implausible }
        return made
    }

    // MARK: - By this program

    /// Makes an invitation of which the server knows nothing.
    func makeHere() -> MadeInvitation {
        let jid = account.client.account.jid.bare
        load(jid)
        let (token, expiry) = own.make(now: account.wall.now)
        save()
        let link = XMPPURI(jid.description, .invitation(token: token, canRegister: false))
        return MadeInvitation(link: link.text, expiry: expiry, effect: .buddyWhileOnline)
    }

    private func load(_ jid: JID) {
        guard owner != jid else { return }
        (owner, own) = (jid, OwnInvitations(storage?.read(jid.description) ?? []))
    }

    private func save() {
        if let owner { storage?.write(owner.description, own.entries) }
    }
}

extension MadeInvitation {
    /// Creates the invitation of a server's result (XEP-0401 section 4.1); nil if it has no link that may be shown.
    ///
    /// An `xmpp:` link has to lead to the account or to its server; a page can be anywhere, but only with `https`.
    fileprivate init?(_ values: [String: String], by jid: JID) {
        let uri = values["uri"].flatMap { Self.link($0, by: jid) }
        let page = values["landing-url"].flatMap { text in
            text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? WebAddress(text)?.text : nil
        }
        guard let link = page ?? uri?.text else { return nil }
        let effect: Effect =
            switch uri?.action {
            case .invitation(_, canRegister: false): .buddy
            default: .account
            }
        let expiry = values["expire"].flatMap { Timestamp($0) }
        self.init(
            link: link, expiry: expiry.map { ChatTime(milliseconds: $0.microseconds / 1000) }, effect: effect)
    }

    private static func link(_ text: String, by jid: JID) -> XMPPURI? {
        guard text.utf8.count <= WebAddress.maximumBytes, let link = try? XMPPURI(text) else { return nil }
        let address = JID(link.address)
        switch link.action {
        case .register(let token):
            return !token.isEmpty && address?.domain == jid.domain ? XMPPURI(link.address, link.action) : nil
        case .invitation: return address == jid ? XMPPURI(link.address, link.action) : nil
        case .open, .message, .add, .join: return nil
        }
    }
}
