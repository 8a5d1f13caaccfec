// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneXMPP

/// Tests that what waits for a buddy’s presence after a sign-in goes on when it has come, and does not wait for ever.
@Suite @MainActor struct FirstPresencesTests {
    private let clock = ManualScheduler()
    private let presences: FirstPresences
    private let alan: JID

    init() throws {
        presences = FirstPresences(clock: clock)
        alan = try #require(JID("alan@localhost"))
    }

    /// Starts to wait for a buddy.
    private func wait() async -> Task<Void, Never> {
        let before = clock.pending
        let task = Task { await presences.wait(for: alan) }
        while clock.pending == before { await Task.yield() }
        return task
    }

    private func presence(_ from: String, _ kind: Presence.Kind = .available) throws -> Presence {
        let type = kind == .available ? "" : " type='\(kind.rawValue)'"
        return try #require(Presence(try XMLElementTests.read("<presence from='\(from)'\(type)/>")))
    }

    @Test(arguments: [Presence.Kind.available, .unavailable])
    func presenceEndsTheWait(kind: Presence.Kind) async throws {
        let task = await wait()
        let other = await wait()
        presences.handle(try presence("ada@localhost/x"))
        presences.handle(try presence("alan@localhost/x", .subscribe))
        #expect(clock.pending == 2)
        presences.handle(try presence("alan@localhost/x", kind))
        await task.value
        await other.value
        #expect(clock.pending == 0)
        // It is known from now on.
        await presences.wait(for: alan)
        #expect(clock.pending == 0)
    }

    @Test func waitEndsSomeTimeAfterTheBeginning() async throws {
        clock.advance(by: .seconds(4))
        let task = await wait()
        #expect(clock.nextDelay == .seconds(6))
        clock.advance(by: .seconds(6))
        await task.value
        await presences.wait(for: alan)
        #expect(clock.pending == 0)
        // Another stream.
        presences.begin()
        let again = await wait()
        #expect(clock.nextDelay == FirstPresences.patience)
        presences.begin()
        await again.value
        #expect(clock.pending == 0)
    }
}
