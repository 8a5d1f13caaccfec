// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TestSupport
import TouchtoneStore
import XCTest

@testable import TouchtoneCore
@testable import TouchtoneXMPP

/// A property test: whatever happens, no text of an encrypted conversation leaves the program in the clear.
///
/// `docs/architecture.md` lists the guards. What stands behind another guard has a test of its own below.
final class NothingInTheClearTests: XMPPTestCase {
    func testNoTextOfEncryptedConversationLeavesInTheClear() throws {
        try onMainActor {
            for seed in 1...TestLength.cases(3, long: 30) {
                let afternoon = try Afternoon(UInt64(seed))
                for _ in 0..<50 { try afternoon.step() }
                try afternoon.calm("seed \(seed)")
                afternoon.end()
            }
        }
    }

    /// Steps that seldom meet by chance.
    func testNothingLeavesInTheClearInRareOrders() throws {
        try onMainActor {
            let orders: [[Afternoon.Step]] = [
                [.type, .settle, .type, .settle],
                // His keys are gone, and the conversation has just begun.
                [.leaveKeys, .send, .settle],
                [.leaveKeys, .kill, .pin, .send, .settle],
                // What may have arrived in the clear is not repeated so.
                [.switchOff, .settle, .freeze, .send, .settle, .switchOn, .cut],
                // The correction of an encrypted message, although the encryption is switched off.
                [.send, .settle, .switchOff, .correctEncrypted, .wait],
                // A reply in the clear to an encrypted message.
                [.send, .settle, .switchOff, .replyEncrypted, .settle],
                // What failed, or was sent in the clear, is encrypted when it is sent again or corrected.
                [
                    .switchOff, .settle, .freezeAtUpload, .sendFile, .settle, .failLast, .settle, .switchOn,
                    .kill, .online, .retry, .wait,
                ],
                [
                    .switchOff, .settle, .freeze, .send, .settle, .failLast, .settle, .switchOn, .cut, .retry,
                    .wait,
                ],
                [.switchOff, .settle, .send, .settle, .switchOn, .correctClear, .wait],
                // A file that is on the server already is uploaded again.
                [.switchOff, .settle, .freezeAtUpload, .sendFile, .settle, .switchOn, .kill, .wait],
                [.switchOff, .settle, .sendFile, .switchOn, .settle],
                [.switchOff, .settle, .freeze, .sendFile, .settle, .switchOn, .cut, .settle],
                [.cut, .send, .send, .swap, .settle, .swap],
                [.send, .swap, .send, .otherAccount, .swap, .settle],
                [.sendFile, .remove, .settle, .add, .settle, .sendFile],
                [.sendLargeFile, .settle, .retry, .settle],
            ]
            let afternoon = try Afternoon(1000)
            for order in orders {
                for step in order { try afternoon.take(step) }
                try afternoon.calm(order.map(\.rawValue).joined(separator: ", "))
            }
            afternoon.end()
        }
    }

    func testNothingLeavesWhileStoreRefusesToDecide() throws {
        try onMainActor {
            let keys = RefusingKeys(SQLiteStore(home: try TemporaryFolders.make("touchtone-keys")))
            let alan = try EncryptedDesk("alan")
            let fixture = XMPPAccountFixture(try account("grace"), keys: keys)
            waitUntil("it is ready") { fixture.readyCount == 1 }
            var sent: [String] = []
            fixture.client.onSend = { sent.append($0.serialized(in: Namespace.client)) }
            fixture.send("SECRET", to: alan.address, name: "a-unique-name-1")
            waitUntil("the store is asked") { keys.count > 0 }
            MainLoop.run(upTo: 100) { false }
            XCTAssertEqual(sent.filter { $0.contains("SECRET") }, [])
            for chat in [fixture.chat, alan.program.session] { chat.signOut() }
        }
    }

    /// A message whose file lies in the clear is not encrypted as it is: the file is uploaded again, whatever the store has done.
    func testMessageAboutFileInTheClearWaitsForNewUpload() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("SECRET", to: alan.address)
            waitUntil("it is encrypted") { grace.chat.isEncrypted(alan.address) }
            waitUntil("it has come") { alan.texts(with: grace.address) == ["SECRET"] }
            let (jid, url) = (try XCTUnwrap(alan.address.jid), "https://localhost/SECRET.png")
            for isMarked in [false, true] {
                var message = OutgoingMessage.own(
                    url, to: jid, of: alan.address, name: "a-unique-name-1",
                    file: SharedFile(url: url, name: "SECRET.png", path: "/SECRET.png"))
                message.mustBeEncrypted = isMarked
                let decided = try awaited { [message] in await grace.encryption.encrypt(message) }
                XCTAssertNil(decided.stanza)
                guard case .renewed = decided.form else { return XCTFail("\(decided.form)") }
            }
            for desk in [grace, alan] { desk.program.session.signOut() }
        }
    }

    /// A message that is still being decrypted when the account changes is not taken for one of the next account.
    func testMessageDecryptedAfterAccountChangeIsNotOfNextAccount() throws {
        try onMainActor {
            let (grace, keys, alan) = try Self.decrypting()
            let next = try account("hopper")
            var hasChanged = false
            keys.onOpening = {
                grace.chat.account = next
                hasChanged = true
            }
            alan.send("SECRET", to: grace.address)
            waitUntil("the account changes") { hasChanged }
            MainLoop.run(upTo: 300) { false }
            XCTAssertEqual(grace.texts, [])
            for chat in [grace.chat, alan.program.session] { chat.signOut() }
        }
    }

    func testHistoryDecryptedAfterAccountChangeIsNotOfNextAccount() throws {
        try onMainActor {
            let (grace, keys, alan) = try Self.decrypting()
            alan.send("SECRET", to: grace.address)
            waitUntil("it has come") { grace.texts == ["SECRET"] }
            grace.forgetEvents()
            let next = try account("hopper")
            keys.onOpening = { grace.chat.account = next }
            let (messages, buddy) = (grace.chat.messages, alan.address)
            XCTAssertThrowsError(
                try awaited { try await messages.loadHistory(of: buddy, before: nil) })
            XCTAssertEqual(grace.jid, next.jid.bare)
            let told = grace.facts.filter { if case .archived = $0 { true } else { false } }
            XCTAssertEqual(told.count, 0)
            for chat in [grace.chat, alan.program.session] { chat.signOut() }
        }
    }

    /// Returns an account that decrypts, with its keys, and a device that writes to it.
    @MainActor private static func decrypting() throws -> (XMPPAccountFixture, RefusingKeys, EncryptedDesk) {
        let keys = RefusingKeys(SQLiteStore(home: try TemporaryFolders.make("touchtone-keys")))
        let grace = XMPPAccountFixture(try account("grace"), keys: keys)
        waitUntil("it is ready") {
            grace.readyCount == 1 && grace.chat.encryptionModule.publisher.isAccepted == true
        }
        return (grace, keys, try EncryptedDesk("alan"))
    }

    /// The last guard: behind all decisions, a message that must be encrypted has no stanza in the clear.
    func testMessageThatMustBeEncryptedHasNoStanzaInTheClear() throws {
        let jid = try XCTUnwrap(JID("alan@localhost"))
        var file = SharedFile(
            url: "aesgcm://localhost/x.png#" + String(repeating: "5ec4e7", count: 22), name: "SECRET.png",
            size: 5, mediaType: "image/png", path: "/SECRET.png", thumbnail: "SECRET")
        for forms in [OutgoingMessage.Form.open, .clear, .held] {
            var message = OutgoingMessage.own("SECRET", to: jid, of: ChatAddress(jid), name: "1", file: file)
            // The link alone tells that it must be encrypted.
            XCTAssertTrue(message.mustBeEncrypted)
            message.form = forms
            XCTAssertNil(message.stanza)
            var window = SendWindow()
            XCTAssertTrue(window.sends("1", bytes: 1))
            window.gaveUp(message.clear.element, isRefused: false)
            XCTAssertNil(window.returned(message))
        }
        file.url = "https://localhost/SECRET.png"
        var message = OutgoingMessage.own(
            "SECRET\nhttps://localhost/SECRET.png", to: jid, of: ChatAddress(jid), name: "1", file: file)
        message.spoiler = "SECRET"
        message.form = .encrypted([XMLElement("encrypted", OMEMO.namespace)])
        let stanza = try XCTUnwrap(message.stanza).serialized(in: Namespace.client)
        for word in ["SECRET", "https:", "image/png"] { XCTAssertFalse(stanza.contains(word), stanza) }
    }
}

/// Random steps of the user, of the buddy and of the network, with two accounts that write to the same buddy: to one of them
/// encrypted, and to the other not.
@MainActor
private final class Afternoon {
    enum Step: String, CaseIterable {
        case send, reply, correct, react, retract, sendFile, sendLargeFile, type, draft
        case plainMessage, plainConversation, otherAccount
        case switchOff, switchOn, pin, fail, retry
        case otherDevice, noDevices, falseDevices, verify, leaveOut, askAgain
        case cut, kill, remove, add, swap
        /// Not among the random ones.
        case freeze, settle, correctEncrypted, correctClear, replyEncrypted, leaveKeys, wait
        case freezeAtUpload, failLast, online
    }

    private static let random = Step.allCases.prefix { $0 != .freeze }

    private let seed: UInt64
    private var random: SplitMix64
    private let phone: EncryptedPhone
    private let alan: EncryptedDesk
    private let raw: RawDesk
    private let other: RawDesk
    private var count = 0
    /// The number of things sent that were checked.
    private var checkedCount = 0
    private var isOn = true
    /// The texts that must not be in what leaves from a position on.
    private var secrets: [String: Int] = [:]
    /// Those that were encrypted when they were written, and must be marked as such.
    private var protected: Set<String> = []

    init(_ seed: UInt64) throws {
        (self.seed, random) = (seed, SplitMix64(seed: seed))
        let hasFiles = TestServer.current == .prosody
        phone = try EncryptedPhone(["grace", "hopper"], hasFiles: hasFiles)
        alan = try EncryptedDesk("alan")
        (other, raw) = (try RawDesk(try account("charles")), try RawDesk(alan.account))
        try befriend()
        phone.program(of: 1)?.chat.setEncrypted(false, alan.address)
        // He wants to see what she types.
        alan.chat.setRealTimeText(true, grace)
        alan.chat.select(grace)
        // The first message decides on the encryption.
        chat?.send(secret(), to: alan.address)
        waitUntil("it is encrypted") { chat?.isEncrypted(alan.address) == true }
        waitUntil("it has come") { alan.texts(with: grace).count == 1 }
        XCTAssertEqual(
            phone.messages(of: 0, with: alan.address).map(\.content.protection), [.encrypted(.blind)])
        CriticalWarnings.watch(for: "SECRET")
    }

    private var grace: ChatAddress { phone.address(of: 0) }
    private var program: EncryptedDesk.Program? { phone.program(of: 0) }
    private var chat: Chat? { program?.chat }
    private var conversation: [ChatMessage] { phone.messages(of: 0, with: alan.address) }

    private func befriend() throws {
        let (chat, other, address) = (try XCTUnwrap(chat), alan.chat, alan.address)
        let grace = grace
        try awaited { try await chat.add(address.text, name: "") }
        waitUntil("he is asked") { other.buddies.requests.map(\.id) == [grace] }
        try awaited { try await other.add(grace.text, name: "") }
        waitUntil("they see each other") {
            [(chat, address), (other, grace)].allSatisfy { chat, buddy in
                chat.mayUseRealTimeText(with: buddy) && chat.buddies.row(of: buddy)?.availability == .online
            }
        }
    }

    // MARK: Texts

    /// Returns a text of the conversation, which is a secret while that is encrypted.
    private func text() -> String { isOn ? secret() : open() }

    private func secret() -> String {
        let text = open()
        seal(text)
        return text
    }

    private func seal(_ text: String) {
        secrets[text] = secrets[text] ?? phone.sent.count
        protected.insert(text)
    }

    private func open() -> String {
        count += 1
        return "SECRET-\(seed)-\(count)-"
    }

    private func tokens(in message: ChatMessage) -> [String] {
        (1...max(1, count)).map { "SECRET-\(seed)-\($0)-" }.filter { message.text.contains($0) }
    }

    // MARK: Steps

    func step() throws {
        guard let step = Self.random.randomElement(using: &random) else { return }
        try take(step)
        // Steps meet in any state of the earlier ones.
        MainLoop.run(upTo: .random(in: 0...60, using: &random)) { false }
    }

    func take(_ step: Step) throws {
        let buddy = alan.address
        switch step {
        case .send: chat?.send(isPresent(text()), to: buddy)
        case .reply, .replyEncrypted:
            let messages = conversation.filter { step == .reply || $0.content.protection.isEncrypted }
            chat?.send(isPresent(text()), to: buddy, inReplyTo: messages.randomElement(using: &random))
        case .correct, .correctEncrypted, .correctClear:
            let messages = conversation.filter {
                $0.isCorrectable
                    && (step == .correct || $0.content.protection.isEncrypted == (step == .correctEncrypted))
            }
            if let message = messages.randomElement(using: &random) {
                // The correction of an encrypted message is encrypted, whatever follows.
                let new = message.content.protection.isEncrypted && !isReleased(message) ? secret() : text()
                chat?.correct(message, to: new) { _ in }
            }
        case .react:
            if let message = conversation.randomElement(using: &random) { chat?.toggle("👍", on: message) }
        case .retract:
            if let message = conversation.filter({ $0.sender == .me }).randomElement(using: &random) {
                chat?.retract(message)
            }
        case .sendFile: sendFile(ending: ["txt", "png"].randomElement(using: &random) ?? "txt", size: 2000)
        case .sendLargeFile: sendFile(ending: "txt", size: 1_100_000)
        case .type: type()
        case .draft:
            chat?.select(buddy)
            chat?.selected?.draft = isPresent(text())
            chat?.select(nil)
        case .plainMessage: raw.send("in the clear \(count)", to: grace)
        case .plainConversation: chat?.send("OPEN \(count)", to: other.fixture.address)
        case .otherAccount: phone.program(of: 1)?.chat.send("OPEN \(count)", to: buddy)
        case .switchOff: switchOff()
        case .switchOn: switchOn()
        case .pin:
            let isPinned = chat?.buddies.buddy(at: buddy)?.settings.contains(.pinned) == true
            chat?.setPinned(!isPinned, buddy)
        case .fail, .failLast:
            let mine = conversation.filter { $0.sender == .me }
            if let name = (step == .fail ? mine.randomElement(using: &random) : mine.last)?.name {
                program?.session.context.emit([.failed(buddy: buddy, name: name, reason: "no")])
            }
        case .retry:
            for message in conversation where message.canRetry {
                if isOn { tokens(in: message).forEach { seal($0) } }
                chat?.retry(message)
            }
        case .otherDevice:
            _ = try awaited { [alan] in
                try await alan.program.store.makeOwnDevice(besides: [], at: alan.wallNow)
            }
            alan.encryption.publisher.begin()
            alan.encryption.start()
        case .noDevices: raw.publish([])
        case .leaveKeys:
            // Nobody adds them again.
            alan.program.session.signOut()
            try awaited { [raw] in
                try await raw.fixture.client.publishOpenly(OMEMO.list([]), in: OMEMO.devices)
            }
            MainLoop.run(upTo: 100) { false }
        case .falseDevices:
            raw.publish((0..<5).map { _ in .random(in: DeviceAddress.numbers, using: &random) })
        case .verify: try trust(KeyTrust.allCases.randomElement(using: &random) ?? .verified)
        case .leaveOut: chat?.leaveOutDevices(buddy)
        case .askAgain: chat?.retryEncryption(buddy)
        case .wait: waitUntilSent("in between")
        case .online: waitUntil("the account is online") { phone.isReady && hasSummary }
        case .cut, .freeze, .freezeAtUpload, .kill, .remove, .add, .swap, .settle: try disturb(step)
        }
    }

    private func disturb(_ step: Step) throws {
        switch step {
        case .cut:
            phone.cut(0)
            MainLoop.run(upTo: 20) { false }
            program?.session.wakeUp()
        case .kill: phone.kill()
        case .remove: phone.remove(0)
        case .add: phone.addRemoved()
        case .swap: phone.swap()
        case .freeze: phone.freeze(0)
        case .freezeAtUpload: phone.freezesAtUpload = true
        default: MainLoop.run(upTo: 300) { false }
        }
    }

    /// Returns the text, which is not sent at all while the account is removed.
    private func isPresent(_ text: String) -> String {
        if program == nil { protected.remove(text) }
        return text
    }

    private func sendFile(ending: String, size: Int) {
        phone.sendFile(isPresent(text()), ending: ending, size: size, of: 0, to: alan.address)
    }

    private func type() {
        guard let program else { return }
        program.chat.setRealTimeText(true, alan.address)
        program.chat.select(alan.address)
        // Each side would ask the other one.
        MainLoop.run(upTo: 50) { false }
        program.chat.selected?.draft = text()
        program.chat.selected?.typed()
        program.session.setPaused(true)
        program.clock.advance(by: .seconds(1))
        program.session.setPaused(false)
    }

    private func trust(_ trust: KeyTrust) throws {
        guard let program else { return }
        let buddy = alan.address
        let devices = try awaited { try await program.store.devices(of: buddy) }.filter { $0.key != nil }
        if let device = devices.randomElement(using: &random) {
            try awaited { try await program.session.encryptionModule.setTrust(trust, in: device) }
        }
    }

    /// Releases all that waits, and all that follows: the user says so.
    private func switchOff() {
        guard let chat, hasSummary else { return }
        chat.setEncrypted(false, alan.address)
        isOn = false
        for message in conversation where message.state == .waiting {
            for token in tokens(in: message) { (secrets[token], _) = (nil, protected.remove(token)) }
        }
    }

    private func switchOn() {
        guard let chat, hasSummary else { return }
        chat.setEncrypted(true, alan.address)
        isOn = true
        let waiting = conversation.filter { $0.sender == .me && $0.state == .waiting }
        // What is on its way to the stream already goes on.
        MainLoop.run(upTo: 20) { false }
        for token in waiting.flatMap({ tokens(in: $0) }) { secrets[token] = phone.sent.count }
    }

    /// Whether the user’s choices are shown, so that the user could press the switch.
    private var hasSummary: Bool { chat?.hasSummary == true }

    /// Whether the text of a message was released when the encryption was switched off.
    private func isReleased(_ message: ChatMessage) -> Bool {
        tokens(in: message).contains { secrets[$0] == nil }
    }

    // MARK: End

    /// Lets all that waits be sent, and checks what has left.
    func calm(_ context: String) throws {
        phone.addRemoved()
        alan.program.session.signIn()
        waitUntil("the accounts are there, \(context)") { phone.isReady && hasSummary && alan.isReady }
        if !isOn { switchOn() }
        try settleTrust(context)
        check(context)
    }

    func end() {
        for program in phone.programs { program.session.signOut() }
        alan.program.session.signOut()
        for desk in [other, raw] { desk.fixture.chat.signOut() }
    }

    /// Lets everything that waits be sent, encrypted: nothing is held for ever.
    private func settleTrust(_ context: String) throws {
        alan.encryption.publisher.begin()
        alan.encryption.start()
        waitUntil("his list is right") { alan.encryption.publisher.isAccepted == true }
        let program = try XCTUnwrap(program)
        program.session.encryptionModule.devices.begin()
        _ = try awaited { [alan] in try await program.session.encryptionModule.devices(in: alan.address) }
        for device in try awaited({ [alan] in try await program.store.devices(of: alan.address) })
        where device.key != nil {
            try awaited { try await program.session.encryptionModule.setTrust(.blind, in: device) }
        }
        program.chat.leaveOutDevices(alan.address)
        program.chat.retryEncryption(alan.address)
        waitUntilSent(context)
    }

    private func waitUntilSent(_ context: String) {
        waitUntil("nothing waits, \(context): \(waiting)") { waiting.isEmpty }
    }

    /// The user’s messages that are not sent yet.
    private var waiting: [ChatMessage] {
        conversation.filter { $0.sender == .me && ($0.state == .waiting || $0.correction != nil) }
    }

    private func check(_ context: String) {
        for index in checkedCount..<phone.sent.count where phone.sent[index].contains("SECRET") {
            let text = phone.sent[index]
            for (secret, start) in secrets where index >= start && text.contains(secret) {
                XCTFail(
                    "\(secret), a secret from \(start) on, left at \(index), \(context): \(text.prefix(1000))"
                )
            }
        }
        checkedCount = phone.sent.count
        XCTAssertEqual(phone.sent.filter { $0.contains("aesgcm") }, [], "a key left, \(context)")
        for message in conversation where message.sender == .me {
            guard !message.content.protection.isEncrypted else {
                XCTAssertNotEqual(message.file?.isExposed, true, "a file lies in the clear, \(context)")
                continue
            }
            let broken = tokens(in: message).filter { protected.contains($0) }
            XCTAssertEqual(broken, [], "not marked as encrypted, \(context)")
        }
        XCTAssertTrue(chat?.isEncrypted(alan.address) == true, "\(context)")
        XCTAssertFalse(phone.program(of: 1)?.chat.isEncrypted(alan.address) == true, "\(context)")
    }
}

extension ChatMessage {
    /// Whether the user can send the message again.
    fileprivate var canRetry: Bool { if case .failed = state { sender == .me } else { false } }
}

extension RawDesk {
    /// Publishes a list of devices, whether they exist or not.
    fileprivate func publish(_ devices: [UInt32]) {
        let client = fixture.client
        Task { try? await client.publishOpenly(OMEMO.list(devices), in: OMEMO.devices) }
    }
}
