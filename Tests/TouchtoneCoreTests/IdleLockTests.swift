// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct IdleLockTests {
    @Test func aPhoneThatNobodyUsesIsLocked() async {
        let desk = LockDesk("1234")
        let idle = IdleLock(lock: desk.lock, clock: desk.clock)
        idle.limit = .seconds(300)
        #expect(desk.clock.pending == 0, "a locked phone is not watched")
        await desk.enter("1234")
        desk.clock.advance(by: .seconds(299))
        #expect(!desk.lock.isLocked)
        idle.noteInput()
        desk.clock.advance(by: .seconds(299))
        #expect(!desk.lock.isLocked)
        #expect(desk.clock.pending == 1)
        desk.clock.advance(by: .seconds(1))
        #expect(desk.lock.isLocked)
        #expect(desk.clock.pending == 0)
    }

    @Test func inACallThePhoneIsInUseAndTheTimeCountsFromItsEnd() async {
        let desk = LockDesk("1234")
        let idle = IdleLock(lock: desk.lock, clock: desk.clock)
        idle.limit = .seconds(60)
        await desk.enter("1234")
        desk.clock.advance(by: .seconds(50))
        idle.isInUse = true
        #expect(desk.clock.pending == 0)
        desk.clock.advance(by: .seconds(3600))
        #expect(!desk.lock.isLocked)
        idle.isInUse = false
        desk.clock.advance(by: .seconds(59))
        #expect(!desk.lock.isLocked)
        desk.clock.advance(by: .seconds(1))
        #expect(desk.lock.isLocked)
    }

    @Test func anotherLimitCountsFromTheLastInput() async {
        let desk = LockDesk("1234")
        let idle = IdleLock(lock: desk.lock, clock: desk.clock)
        await desk.enter("1234")
        #expect(desk.clock.pending == 0, "never")
        idle.limit = .seconds(900)
        desk.clock.advance(by: .seconds(120))
        idle.limit = .seconds(60)
        desk.clock.advance(by: .zero)
        #expect(desk.lock.isLocked)
    }

    @Test func aPhoneWithoutAPasscodeIsNotWatchedUntilItHasOne() async throws {
        let desk = LockDesk(nil)
        let idle = IdleLock(lock: desk.lock, clock: desk.clock)
        idle.limit = .seconds(60)
        idle.noteInput()
        #expect(desk.clock.pending == 0)
        try await desk.lock.set(new: #require(Passcode("1234")))
        #expect(desk.clock.pending == 1)
        desk.clock.advance(by: .seconds(60))
        #expect(desk.lock.isLocked)
    }

    @Test func anInputAfterTheTimeIsOverLocksThePhone() async {
        let desk = LockDesk("1234")
        let clock = SuspendedClock()
        let idle = IdleLock(lock: desk.lock, clock: clock)
        idle.limit = .seconds(300)
        await desk.enter("1234")
        clock.now += .seconds(299)
        idle.noteInput()
        #expect(!desk.lock.isLocked)
        // The machine sleeps for the night, and a key wakes it before any timer fires.
        clock.now += .seconds(8 * 3600)
        idle.noteInput()
        #expect(desk.lock.isLocked)
        await desk.enter("1234")
        #expect(!desk.lock.isLocked)
        idle.noteInput()
        #expect(!desk.lock.isLocked, "the time counts from the opening")
        idle.isInUse = true
        clock.now += .seconds(3600)
        idle.noteInput()
        #expect(!desk.lock.isLocked, "whoever is in a call uses the phone")
    }
}

/// A clock whose timers have not fired yet.
@MainActor
private final class SuspendedClock: PhoneClock {
    var now = Duration.zero

    private final class Timer: PhoneTimer {
        func cancel() {}
    }

    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any PhoneTimer {
        Timer()
    }
}
