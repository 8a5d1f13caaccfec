// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneStore
import TouchtoneUI
import TouchtoneXMPP

/// The composition of messaging: the services that carry messages, the store and the account.
@MainActor
enum ChatComposition {
    /// Creates the messaging objects.
    ///
    /// - Parameter callMe: A closure that makes the Operator call.
    static func make(
        settings: Settings, store: SQLiteStore, callMe: @escaping @MainActor () -> Void
    ) -> MessagingDependencies {
        let (clock, wall) = (MainLoopScheduler(), SystemWallClock())
        let jabber = JabberService(store: store, clock: clock, wall: wall)
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
        jabber.whenKept = { [weak chat] completion in
            if let chat { chat.whenKept(completion) } else { completion() }
        }
        let account = ChatAccount(
            memory: memory, passwords: KeyringPasswordStore(service: "xmpp"), connection: jabber)
        return MessagingDependencies(chat: chat, wall: wall, account: account, store: store)
    }

    /// Returns a new unique stanza id: 128 random bits.
    private nonisolated static func name() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined(separator: "-")
    }
}
