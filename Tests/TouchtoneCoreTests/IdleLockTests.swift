// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct IdleLockTests {
    @Test func unusedPhoneLocks() async {
        let fixture = LockFixture("1234")
        let idle = IdleLock(lock: fixture.lock, clock: fixture.clock)
        idle.limit = .seconds(300)
        #expect(fixture.clock.pending == 0, "a locked phone is not watched")
        await fixture.enter("1234")
        fixture.clock.advance(by: .seconds(299))
        #expect(!fixture.lock.isLocked)
        idle.recordInput()
        fixture.clock.advance(by: .seconds(299))
        #expect(!fixture.lock.isLocked)
        #expect(fixture.clock.pending == 1)
        fixture.clock.advance(by: .seconds(1))
        #expect(fixture.lock.isLocked)
        #expect(fixture.clock.pending == 0)
    }

    @Test func idleTimeStartsAfterCall() async {
        let fixture = LockFixture("1234")
        let idle = IdleLock(lock: fixture.lock, clock: fixture.clock)
        idle.limit = .seconds(60)
        await fixture.enter("1234")
        fixture.clock.advance(by: .seconds(50))
        idle.isInUse = true
        #expect(fixture.clock.pending == 0)
        fixture.clock.advance(by: .seconds(3600))
        #expect(!fixture.lock.isLocked)
        idle.isInUse = false
        fixture.clock.advance(by: .seconds(59))
        #expect(!fixture.lock.isLocked)
        fixture.clock.advance(by: .seconds(1))
        #expect(fixture.lock.isLocked)
    }

    @Test func newLimitCountsFromLastInput() async {
        let fixture = LockFixture("1234")
        let idle = IdleLock(lock: fixture.lock, clock: fixture.clock)
        await fixture.enter("1234")
        #expect(fixture.clock.pending == 0, "never")
        idle.limit = .seconds(900)
        fixture.clock.advance(by: .seconds(120))
        idle.limit = .seconds(60)
        fixture.clock.advance(by: .zero)
        #expect(fixture.lock.isLocked)
    }

    @Test func phoneIsWatchedOnlyWithPasscode() async throws {
        let fixture = LockFixture(nil)
        let idle = IdleLock(lock: fixture.lock, clock: fixture.clock)
        idle.limit = .seconds(60)
        idle.recordInput()
        #expect(fixture.clock.pending == 0)
        try await fixture.lock.set(new: #require(Passcode("1234")))
        #expect(fixture.clock.pending == 1)
        fixture.clock.advance(by: .seconds(60))
        #expect(fixture.lock.isLocked)
    }

    @Test func inputAfterTimeoutLocksPhone() async {
        let fixture = LockFixture("1234")
        let clock = SuspendedClock()
        let idle = IdleLock(lock: fixture.lock, clock: clock)
        idle.limit = .seconds(300)
        await fixture.enter("1234")
        clock.now += .seconds(299)
        idle.recordInput()
        #expect(!fixture.lock.isLocked)
        // The machine is suspended for the night, and a key wakes it before any timer fires.
        clock.now += .seconds(8 * 3600)
        idle.recordInput()
        #expect(fixture.lock.isLocked)
        await fixture.enter("1234")
        #expect(!fixture.lock.isLocked)
        idle.recordInput()
        #expect(!fixture.lock.isLocked, "the time counts from the opening")
        idle.isInUse = true
        clock.now += .seconds(3600)
        idle.recordInput()
        #expect(!fixture.lock.isLocked, "a call counts as use of the phone")
    }
}

/// A clock whose timers have not fired yet.
@MainActor
private final class SuspendedClock: Scheduler {
    var now = Duration.zero

    private final class Timer: ScheduledTimer {
        func cancel() {}
    }

    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer {
        Timer()
    }
}
