// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TouchtoneCore

let ada = ChatAddress("ada@example.org")
let bob = ChatAddress("bob@example.org")

/// A chat with a store in memory, a service controlled by the test, and the Operator.
@MainActor
final class ChatFixture {
    let clock = ManualScheduler()
    let wall = FixedWallClock()
    let store = MemoryMessageStore()
    let service = FakeChatService()
    let names = CountedNames()
    let transfers = FakeFileTransfers()
    let files = MemoryFileStorage()
    /// The pause before a thumbnail is made, which tests ask for.
    let thumbnails = ThumbnailPause()
    let chat: Chat
    private(set) var arrivals: [String] = []

    init(
        buddies: [BuddyRecord] = [BuddyRecord(ada, name: "Ada", tellsMe: true, toldByMe: true)],
        facts: [MessageUpdate] = [], drafts: [ChatAddress: String] = [:], account: ChatAddress? = nil,
        hasOperator: Bool = true
    ) async throws {
        try store.fill(buddies: buddies, drafts: drafts, facts: facts)
        let operators = OperatorService(clock: clock, wall: wall, names: names.next) { _ in "7:34 PM" }
        let thumbnails = thumbnails
        chat = Chat(
            store: store, account: account, services: hasOperator ? [service, operators] : [service],
            clock: clock, wall: wall,
            names: names.next,
            files: FileDependencies(
                transfers: transfers, storage: files,
                thumbnail: {
                    await thumbnails.wait()
                    return "small \($0.count)"
                },
                removesMetadata: { true }))
        chat.observe(by: self) { [weak self] in
            if case .arrival(let message, let row) = $0 {
                self?.arrivals.append("\(row.name): \(message.text)")
            }
        }
        await rest()
        chat.isInView = true
    }

    /// Runs all tasks that do not wait for time.
    func rest() async {
        await work()
        clock.advance(by: .zero)
        await work()
    }

    private func work() async {
        repeat {
            while transfers.isBusy { await Task.yield() }
            await store.idle()
        } while transfers.isBusy
    }

    /// Advances the clock.
    func pass(_ time: Duration) async {
        clock.advance(by: time)
        await rest()
    }

    func open(_ buddy: ChatAddress) async throws -> Conversation {
        chat.select(buddy)
        await rest()
        guard let conversation = chat.selected else { throw StoreError.failed("nothing is open") }
        return conversation
    }

    func goOnline() async {
        service.tell(.state(.online))
        service.tell(.ready)
        await rest()
    }

    func tell(_ facts: MessageUpdate...) async {
        service.tell(.updates(facts))
        await rest()
    }
}

/// Holds back the next thumbnail until the test lets it go on.
@MainActor
final class ThumbnailPause {
    var isNextHeld = false
    private var continuation: CheckedContinuation<Void, Never>?
    var isHolding: Bool { continuation != nil }

    func wait() async {
        guard isNextHeld else { return }
        isNextHeld = false
        await withCheckedContinuation { continuation = $0 }
    }

    func goOn() {
        continuation?.resume()
        continuation = nil
    }
}

/// Returns a message received on the stream.
func received(
    _ text: String, from buddy: ChatAddress = ada, sender: MessageSender = .buddy, archiveName: String? = nil,
    name: String? = nil, corrects: String? = nil, receiptRequests: ReceiptRequests = []
) -> MessageUpdate {
    .received(
        ReceivedMessage(
            buddy: buddy, sender: sender, text: text, time: ChatTime(milliseconds: 1),
            name: name ?? "n-\(text)",
            archiveName: archiveName,
            relation: corrects.map { .corrects($0, proof: .identity) } ?? MessageRelation.none,
            receiptRequests: receiptRequests))
}

/// Returns the given number of messages from a buddy.
func many(_ count: Int, from buddy: ChatAddress = ada) -> [MessageUpdate] {
    (1...count).map { received("\($0)", from: buddy, archiveName: "a-\($0)") }
}
