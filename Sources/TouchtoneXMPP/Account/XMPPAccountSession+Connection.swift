// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// The requests of `ChatAccount`, which signs the account in.
extension XMPPAccountSession: AccountConnection {
    /// Creates a session without an account.
    ///
    /// Nothing of the network exists before the first sign-in, so that the window does not wait for it.
    ///
    /// - Parameters:
    ///   - pictures: The cache of buddies' pictures; nil fetches each picture again.
    ///   - keys: The store of the keys for encryption; nil encrypts nothing.
    ///   - tokens: The keyring for the tokens that servers issue instead of the password; nil to keep none.
    ///   - deviceID: A closure that returns a random UUID, always the same for an address.
    ///   - calls: What calls need; nil makes and takes none.
    public convenience init(
        store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pictures: (any AvatarStore)? = nil, keys: (any KeyStore)? = nil,
        tokens: (any PasswordStore)? = nil, deviceID: (@MainActor (String) -> String)? = nil,
        calls: CallDependencies? = nil
    ) {
        var id: (@MainActor (JID) -> String)?
        if let deviceID { id = { deviceID($0.description) } }
        let client = XMPPClient(
            account: .none, clock: clock, tokens: SignInTokens(store: tokens, wall: wall, clock: clock),
            deviceID: id)
        self.init(
            client: client, store: store, clock: clock, wall: wall, pictures: pictures, keys: keys,
            calls: calls)
    }

    /// Returns an id for a device, which says nothing about it.
    public static func newDeviceID() -> String { RandomText.uuid() }

    public func forgetToken(of address: String) {
        if let jid = JID(address) { client.forgetToken(of: jid) }
    }

    /// Takes this device off the account’s list on the server, if the account is online, and removes its keys.
    public func forgetKeys(of address: String) {
        guard let jid = JID(address)?.bare, let keys = encryptionModule.keys else { return }
        if jid == client.account.jid.bare { encryptionModule.leave() }
        keys.forgetKeys(of: ChatAddress(jid))
    }

    /// Whether everything is finished after `disconnect()`.
    public var isSettled: Bool { !client.isLeaving }

    /// Returns the bare address that a text names, in its canonical form; nil if it is not an XMPP address.
    public func address(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let jid = JID(String(words[0])), !jid.local.isEmpty else { return nil }
        return jid.bare.description
    }

    /// Ends the current connection, and keeps this account online from now on.
    public func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String
    ) {
        guard let jid = JID(details.address) else { return }
        var account = XMPPAccount(jid: jid.bare, password: password)
        account.host = details.host
        account.port = details.port
        account.tls = TLSMode(rawValue: details.security.rawValue) ?? .automatic
        account.pinnedCertificate = certificate
        account.weakestMechanism = SASLMechanism(rawValue: method)
        signOut()
        context.onEvent?(.account(ChatAddress(jid)))
        self.account = account
        // Signing in means going online, whatever presence was set before.
        if context.presence.availability == .offline {
            setPresence(OwnPresence(.online, status: context.presence.status))
        }
        signIn()
    }

    /// The SASL name of the mechanism of the last sign-in; empty if there was none.
    public var signInMethod: String { client.mechanism?.rawValue ?? "" }

    public func disconnect() { signOut() }

    /// Signs out, forgets the buddies' pictures, and shows the conversations of another account, if any.
    public func use(_ address: String) {
        signOut()
        cache?.removeAll()
        cache?.account = address
        context.onEvent?(.account(self.address(address)))
    }
}
