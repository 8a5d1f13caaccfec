// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A chat with a buddy, Grace, and the notifications of her messages.
@MainActor
final class MessageNotificationsFixture {
    let settings: Settings
    let tones = FakeTones()
    let notifier = FakeNotifier()
    let service = FakeChatService()
    let clock = ManualScheduler()
    let chat: Chat
    let messenger: Messenger
    let lock: Lock
    let notices: MessageNotifications
    let requestNotifier = FakeNotifier()
    let requests: RequestNotifications
    private let store = MemoryMessageStore()
    private let names = CountedNames()
    private var others: [Chat] = []
    private var count = 0

    init(passcode: String? = nil) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        for key in ["message-notification", "message-sound"] { settings.reset(key) }
        let names = names
        chat = Chat(
            store: store, services: [service], clock: MainLoopScheduler(), wall: FixedWallClock(),
            names: { names.next() })
        messenger = Messenger(chat)
        lock = Lock(
            store: FakePasscodeStore(passcode), clock: MainLoopScheduler(), boot: FakeBootClock(),
            sounds: FakeTones()
        )
        notices = MessageNotifications(
            messenger: messenger, lock: lock, settings: settings, sounds: tones, clock: clock,
            notifier: notifier)
        requests = RequestNotifications(
            messenger: messenger, lock: lock, settings: settings, notifier: requestNotifier)
        service.tell(
            .buddies(
                [BuddyRecord(ChatAddress("grace@example.org"), name: "Grace", tellsMe: true, toldByMe: true)],
                version: nil))
    }

    var heard: [String] { tones.notes }

    /// Reacts as Grace, or withdraws the reaction for nil.
    func react(_ emoji: String?, toMine: Bool = true, after delay: Duration = .zero) {
        guard let message = messages.last(where: { ($0.sender == .me) == toMine }), let name = message.name
        else { return XCTFail("there is no such message") }
        service.tell(
            .updates([
                .annotated(
                    MessageAnnotation(
                        .reaction(emoji.map { [$0] } ?? []), of: .stanza(name), buddy: message.buddy,
                        sender: .buddy, time: FixedWallClock().now - (.zero - delay), name: names.next()))
            ]))
    }

    private var messages: [ChatMessage] { store.table.messages(of: ChatAddress("grace@example.org")) }

    /// Adds an account.
    func addAccount(_ address: String) -> (service: FakeChatService, chat: Chat) {
        let (service, names) = (FakeChatService(), names)
        let chat = Chat(
            store: MemoryMessageStore(), account: ChatAddress(address), services: [service],
            clock: MainLoopScheduler(), wall: FixedWallClock(), names: { names.next() })
        others.append(chat)
        messenger.setOthers(others)
        return (service, chat)
    }

    func come(_ buddy: String, _ text: String, to other: FakeChatService? = nil) {
        count += 1
        (other ?? service).tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: ChatAddress(buddy), sender: .buddy, text: text,
                        time: ChatTime(milliseconds: Int64(count)), name: "their-\(count)"))
            ]))
    }

    /// A file that comes encrypted, with that name.
    func comeEncrypted(_ buddy: String, _ name: String) {
        count += 1
        var content = MessageContent(file: SharedFile(url: "aesgcm://localhost/\(name)", name: name))
        content.protection = .encrypted(.blind)
        service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: ChatAddress(buddy), sender: .buddy, content: content,
                        time: ChatTime(milliseconds: Int64(count)), name: "their-\(count)"))
            ]))
    }

    /// Marks all of the open conversation as seen, as its view does.
    func seeAll() {
        waitUntil("it is loaded") { self.chat.selected?.window.isEmpty == false }
        if let selected = chat.selected, let last = selected.window.last { selected.seen(upTo: last) }
    }

    /// Unlocks with the passcode.
    func open() {
        for digit in 1...4 { lock.press(digit) }
        waitUntil("the phone is open") { !self.lock.isLocked }
    }

    /// Waits until all pending notifications are sent.
    func settle() {
        var isOver = false
        let timer = MainLoop.after(milliseconds: 300) { isOver = true }
        waitUntil("some time has passed") { isOver }
        timer.cancel()
    }
}
