// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of callers who ring while contacts are being read.
@Suite @MainActor struct KnownCallersTests {
    private let clock = ManualScheduler()
    private let store = MemoryContactStore()
    private let books = FakeAddressBooks()
    private let book: ContactBook
    private let callers: KnownCallers
    private let grace = RemoteParty(DialledNumber("5551234") ?? DialledNumber())

    init() {
        book = ContactBook(store: store, books: books)
        let history = CallHistory(store: MemoryHistoryStore(), contacts: book, wall: FixedWallClock())
        callers = KnownCallers(contacts: book, history: history, clock: clock)
    }

    /// Asks for a caller, and returns once the answer waits for contacts.
    private func ask() async -> Task<Bool, Never> {
        let answer = Task { await callers.knows(grace) }
        while clock.pending == 0 { await Task.yield() }
        return answer
    }

    @Test func desktopContactIsWaitedFor() async {
        book.start()
        let answer = await ask()
        #expect(books.starts == 1)
        books.tell(
            .present([ContactBookFixture.desktop("1", ContactBookFixture.card("G", number: "5551234"))]))
        #expect(await answer.value && clock.pending == 0)
        #expect(await callers.knows(grace))
    }

    @Test func ownContactIsWaitedFor() async {
        store.fill([NewContact(ContactBookFixture.card("G", number: "5551234"))])
        store.isHeld = true
        book.start()
        let answer = await ask()
        store.isHeld = false
        #expect(await answer.value && clock.pending == 0)
    }

    @Test func strangerWaitsOnceAndNotForEver() async {
        book.start()
        #expect(await !callers.knows(RemoteParty(DialledNumber())), "nobody has no number")
        let answer = await ask()
        await store.idle()
        await book.whenTakenIn()
        while !book.isLoaded { await Task.yield() }
        clock.advance(by: KnownCallers.readingLimit)
        #expect(await !answer.value)
        #expect(await !callers.knows(grace), "no later call waits")
        #expect(clock.pending == 0)
    }
}
