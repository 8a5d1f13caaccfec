// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneNumbers
import TouchtoneStore
import TouchtoneUI
import TouchtoneXMPP

/// The composition of messaging: a session, a chat and a store for each account, and the sign-ins.
@MainActor
enum ChatComposition {
    /// The services that all accounts share.
    @MainActor
    private struct Shared {
        let settings: Settings
        let clock = MainLoopScheduler()
        let wall = SystemWallClock()
        let passwords = KeyringPasswordStore(service: "xmpp")
        let tokens = KeyringPasswordStore(service: "xmpp-token")
        let transfers = WebComposition.transfers()
        let storage = UserFiles()
        let calls: JabberCallComposition
    }

    static func make(
        settings: Settings, resources: Resources, store: SQLiteStore, voice: VoiceMessages,
        calls: JabberCallComposition, callMe: @escaping OperatorService.Calling
    ) -> MessagingDependencies {
        // It comes first, because the first account in its list may have changed while the program was not running.
        let list = JabberAccountList(settings) { id throws(GLibError) in
            try resources.jabberAccountSettings(id)
        }
        let shared = Shared(settings: settings, calls: calls)
        let stamps = LocaleStamps()
        let exchange = OperatorService(
            clock: shared.clock, wall: shared.wall, names: name, timeText: { stamps.time($0) }, callMe: callMe
        )
        let first = account(
            "jabber", in: settings, prefix: "jabber-", list: list, store: store, besides: [exchange], shared)
        let messenger = Messenger(first.chat)
        let accounts = JabberAccounts(
            list, first: first.account, messenger: messenger,
            register: { ServerRegistration($0, clock: shared.clock) }
        ) { id, settings in
            let made = account(
                "jabber-" + id, in: settings, prefix: "", store: SQLiteStore(sharingFileOf: store),
                besides: [], shared)
            return JabberAccounts.Other(id: id, settings: settings, account: made.account, chat: made.chat)
        }
        return MessagingDependencies(
            messenger: messenger, wall: shared.wall, accounts: accounts, store: store, voice: voice)
    }

    /// - Parameters:
    ///   - line: The id of its line.
    ///   - prefix: The beginning of the names of its keys.
    ///   - list: The list whose first account it is; nil if the settings are its own.
    private static func account(
        _ line: String, in settings: Settings, prefix: String, list: JabberAccountList? = nil,
        store: SQLiteStore, besides others: [any ChatService], _ shared: Shared
    ) -> (account: ChatAccount, chat: Chat) {
        let memory = GSettingsAccountStore(settings, prefix: prefix, list: list)
        let pictures = AvatarFiles()
        pictures.account = memory.details.address
        let session = XMPPAccountSession(
            store: store, clock: shared.clock, wall: shared.wall, pictures: pictures, keys: store,
            tokens: shared.tokens,
            deviceID: { [weak settings] in deviceID(of: $0, in: settings, key: prefix + "device-id") },
            calls: shared.calls.dependencies(line, in: settings, prefix: prefix))
        session.invitationStorage = entries(in: settings, key: prefix + "invitations")
        session.serverStorage = entries(in: settings, key: prefix + "known-server")
        session.onDropped = { DebugLog.write("dropped: \($0)") }
        let chat = Chat(
            store: store, account: session.address(memory.details.address), services: others + [session],
            clock: shared.clock, wall: shared.wall, names: name,
            files: FileDependencies(
                transfers: shared.transfers, storage: shared.storage,
                thumbnail: { await PictureFile.thumbnail(of: $0) },
                removesMetadata: { [weak settings = shared.settings] in
                    settings?[flag: "remove-picture-metadata"] ?? true
                }))
        chat.buddies.folding = TextFolding.letters
        chat.buddies.sortKey = LocaleOrder.key
        session.whenKept = { [weak chat] completion in
            if let chat { chat.whenKept(completion) } else { completion() }
        }
        shared.settings.follow("encrypt-by-default") { [weak settings = shared.settings, weak chat] in
            if let settings { chat?.encryptsNew = settings[flag: "encrypt-by-default"] }
        }
        shared.settings.follow("real-time-text") { [weak settings = shared.settings, weak chat] in
            if let settings { chat?.realTimeText = RealTimeTextUse(settings) }
        }
        followGateway(settings, prefix: prefix, numbers: chat.numbers)
        let account = ChatAccount(memory: memory, passwords: shared.passwords, connection: session)
        account.observe(by: chat) { [weak account, weak chat] in
            if let account { chat?.accountLabel = account.label }
        }
        shared.calls.follow(account, session)
        return (account, chat)
    }

    /// Returns the id by which the server recognizes this installation, and makes one for a new account.
    private static func deviceID(of address: String, in settings: Settings?, key: String) -> String {
        guard let settings, settings.has(key) else { return XMPPAccountSession.newDeviceID() }
        let parts = settings[text: key].split(separator: " ").map { String($0) }
        if parts.count == 2, parts[0] == address { return parts[1] }
        let id = XMPPAccountSession.newDeviceID()
        settings[text: key] = "\(address) \(id)"
        return id
    }

    /// Returns the place for texts of an account, which stand after its address.
    static func entries(in settings: Settings, key: String) -> EntryStorage? {
        guard settings.has(key) else { return nil }
        return EntryStorage { [weak settings] address in
            let entries = settings?[list: key] ?? []
            return entries.first == address ? Array(entries.dropFirst()) : []
        } write: { [weak settings] address, entries in
            settings?[list: key] = entries.isEmpty ? [] : [address] + entries
        }
    }

    /// Applies the setting of the gateway, and remembers the gateway that was found.
    private static func followGateway(_ settings: Settings, prefix: String, numbers: NumberConversations) {
        settings.follow(prefix + "gateway") { [weak settings, weak numbers] in
            if let settings { numbers?.setting = settings[text: prefix + "gateway"] }
        }
        // Nothing of an account is left when it is removed.
        settings.follow(prefix + "jid") { [weak settings] in
            guard let settings, settings[text: prefix + "jid"].isEmpty else { return }
            let keys = ["found-gateway", "numbers", "device-id", "invitations", "calls", "known-server"]
            for key in keys.map({ prefix + $0 }) where settings.has(key) { settings.reset(key) }
        }
        let found = settings[text: prefix + "found-gateway"].split(separator: " ").map {
            ChatAddress(String($0))
        }
        if found.count == 2 { numbers.remember(found[1], of: found[0]) }
        numbers.onFound = { [weak settings] account, gateway in
            settings?[text: prefix + "found-gateway"] = "\(account.text) \(gateway.text)"
        }
        rememberNumbers(settings, key: prefix + "numbers", numbers: numbers)
    }

    /// Remembers the numbers of addresses that do not show them, as `ADDRESS NUMBER` after the account’s address.
    private static func rememberNumbers(_ settings: Settings, key: String, numbers: NumberConversations) {
        guard settings.has(key) else { return }
        let entries = settings[list: key].map { $0.split(separator: " ").map { String($0) } }
        if let account = entries.first?.first {
            let known = entries.dropFirst().compactMap { entry in
                entry.count == 2
                    ? DialledNumber(entry[1]).map { (ChatAddress(entry[0]), $0) } : nil
            }
            numbers.remember(
                Dictionary(known, uniquingKeysWith: { first, _ in first }), of: ChatAddress(account))
        }
        numbers.onAssigned = { [weak settings] account, numbers in
            let entries = numbers.map { "\($0.key.text) \($0.value.text)" }
            settings?[list: key] = [account.text] + entries.sorted()
        }
    }

    /// Connects the conversations of all accounts to the contacts and the phone, which name them.
    static func connect(
        _ messenger: Messenger, phone: Phone, contacts: ContactBook, settings: Settings,
        library: PhoneNumberLibrary, region: @escaping @MainActor () -> String
    ) {
        messenger.observeChats(by: phone) { [weak phone, weak contacts] chat in
            let numbers = chat.numbers
            numbers.international = { number in
                library.outgoing(number.text, form: .international, region: region()).flatMap {
                    DialledNumber($0)
                }
            }
            numbers.format = { [weak phone] in phone?.text(of: $0) ?? $0.text }
            numbers.contacts = contacts
            for key in ["number-format", "region"] {
                settings.follow(key) { [weak numbers] in numbers?.refresh() }
            }
        }
    }

    /// Returns a new unique stanza id: 128 random bits.
    private nonisolated static func name() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined(separator: "-")
    }
}

extension RealTimeTextUse {
    /// Reads the setting; one that this version does not know asks.
    @MainActor init(_ settings: Settings) {
        self = Self(rawValue: settings[text: "real-time-text"]) ?? .ask
    }
}
