// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneStore
import TouchtoneUI
import TouchtoneXMPP

/// The composition of messaging: the services that carry messages, the store and the account.
@MainActor
enum ChatComposition {
    /// - Parameters:
    ///   - callMe: A closure that makes the Operator call.
    static func make(
        settings: Settings, resources: Resources, store: SQLiteStore, voice: VoiceMessages,
        callMe: @escaping @MainActor () -> Void
    ) -> MessagingDependencies {
        // It comes first, because the first account in its list may have changed while the program was not running.
        let accounts = JabberAccountList(settings) { id throws(GLibError) in
            try resources.jabberAccountSettings(id)
        }
        let (clock, wall) = (MainLoopScheduler(), SystemWallClock())
        let jabber = XMPPAccountSession(store: store, clock: clock, wall: wall, pictures: AvatarFiles())
        jabber.onDropped = { DebugLog.write("dropped: \($0)") }
        let stamps = LocaleStamps()
        let exchange = OperatorService(
            clock: clock, wall: wall, names: name, timeText: { stamps.time($0) }, callMe: callMe)
        let memory = GSettingsAccountStore(settings)
        let chat = Chat(
            store: store, account: jabber.address(memory.details.address), services: [exchange, jabber],
            clock: clock, wall: wall, names: name,
            files: FileDependencies(transfers: WebComposition.transfers(), storage: UserFiles()) {
                [weak settings] in settings?[flag: "remove-picture-metadata"] ?? true
            })
        chat.buddies.folding = TextFolding.letters
        chat.buddies.sortKey = LocaleOrder.key
        jabber.whenKept = { [weak chat] completion in
            if let chat { chat.whenKept(completion) } else { completion() }
        }
        followGateway(settings, numbers: chat.numbers)
        let account = ChatAccount(
            memory: memory, passwords: KeyringPasswordStore(service: "xmpp"), connection: jabber)
        return MessagingDependencies(
            chat: chat, wall: wall, account: account, store: store, voice: voice, accounts: accounts)
    }

    /// Applies the setting of the gateway, and remembers the gateway that was found.
    private static func followGateway(_ settings: Settings, numbers: NumberConversations) {
        settings.follow("jabber-gateway") { [weak settings, weak numbers] in
            if let settings { numbers?.setting = settings[text: "jabber-gateway"] }
        }
        // Nothing of an account is left when it is removed.
        settings.follow("jabber-jid") { [weak settings] in
            guard let settings, settings[text: "jabber-jid"].isEmpty else { return }
            for key in ["jabber-found-gateway", "jabber-numbers"] where settings.has(key) {
                settings.reset(key)
            }
        }
        let found = settings[text: "jabber-found-gateway"].split(separator: " ").map {
            ChatAddress(String($0))
        }
        if found.count == 2 { numbers.remember(found[1], of: found[0]) }
        numbers.onFound = { [weak settings] account, gateway in
            settings?[text: "jabber-found-gateway"] = "\(account.text) \(gateway.text)"
        }
        rememberNumbers(settings, numbers: numbers)
    }

    /// Remembers the numbers of addresses that do not show them, as `ADDRESS NUMBER` after the account’s address.
    private static func rememberNumbers(_ settings: Settings, numbers: NumberConversations) {
        let key = "jabber-numbers"
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

    /// Connects the conversations to the contacts and the phone, which name them.
    ///
    /// - Parameters:
    ///   - library: The formatter that adds the country code to numbers.
    ///   - region: A closure that returns the region whose numbering plan local numbers have.
    static func connect(
        _ chat: Chat, phone: Phone, contacts: ContactBook, settings: Settings,
        library: any OutgoingFormatting,
        region: @escaping @MainActor () -> String
    ) {
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

    /// Returns a new unique stanza id: 128 random bits.
    private nonisolated static func name() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined(separator: "-")
    }
}
