// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct LockoutTests {
    private let fixture = LockFixture("1234")

    @Test func fifthFailureBlocksKeysForTenMinutes() async {
        await fixture.fail(4)
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.attempts.leftBeforeLockout == 1)
        await fixture.fail(1)
        #expect(fixture.lock.state == .lockedOut(seconds: 600))
        let heard = fixture.heard
        await fixture.enter("1234")
        fixture.lock.deleteLast()
        #expect(fixture.lock.state == .lockedOut(seconds: 600))
        #expect(fixture.heard == heard)
    }

    @Test func countdownShowsEachSecondAndKeysReturn() async {
        await fixture.fail(5)
        var shown: [Int] = []
        fixture.lock.observe(by: fixture) { [lock = fixture.lock] in
            if case .lockedOut(let seconds) = lock.state { shown.append(seconds) }
        }
        fixture.advance(by: .seconds(600))
        #expect(
            shown.reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } } == Array((1...600).reversed()))
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.clock.pending == 0, "at rest nothing wakes the machine")
        await fixture.enter("1234")
        #expect(fixture.lock.state == .open)
        #expect(fixture.vault.disk?.attempts == Attempts())
    }

    @Test func eachRoundWaitsLongerUpToAnHour() async {
        for minutes in [10, 20, 40, 60, 60, 60] {
            await fixture.fail(5)
            #expect(fixture.lock.state == .lockedOut(seconds: 60 * minutes))
            fixture.advance(by: .seconds(60 * minutes))
            await fixture.settled()
        }
        await fixture.enter("1234")
        #expect(fixture.lock.attempts == Attempts(), "the right one begins anew")
    }

    @Test func rightPasscodeOnFifthAttemptUnlocks() async {
        await fixture.fail(4)
        await fixture.enter("1234")
        #expect(fixture.lock.state == .open)
        #expect(fixture.vault.disk?.attempts == Attempts())
    }

    @Test func attemptCountsEvenIfProgramIsKilled() async {
        var restarted = fixture
        for attempt in 1...5 {
            var inTheMiddle: FakePasscodeStore?
            let vault = restarted.vault
            vault.onVerify = { inTheMiddle = vault.copy() }
            await restarted.enter("0000")
            #expect(inTheMiddle?.disk?.attempts.failures == attempt)
            // The program is killed before the verdict, whatever it was, was shown.
            restarted = LockFixture(inTheMiddle ?? FakePasscodeStore(), boot: restarted.boot)
        }
        #expect(restarted.lock.state == .lockedOut(seconds: 600))
    }

    @Test func remainingWaitSurvivesRestart() async {
        await fixture.fail(5)
        fixture.advance(by: .seconds(100))
        await fixture.settled()
        fixture.boot.advance(by: .seconds(200))  // The program is not running.
        let again = LockFixture(fixture.vault.copy(), boot: fixture.boot)
        #expect(again.lock.state == .lockedOut(seconds: 300))
        again.boot.advance(by: .seconds(300))
        #expect(LockFixture(fixture.vault.copy(), boot: fixture.boot).lock.state == .locked(entered: 0))
    }

    @Test func remainingWaitSurvivesReboot() async {
        await fixture.fail(5)
        fixture.advance(by: .seconds(100))
        await fixture.settled()
        fixture.boot.restart()
        let again = LockFixture(fixture.vault.copy(), boot: fixture.boot)
        guard case .lockedOut(let seconds) = again.lock.state else {
            Issue.record("\(again.lock.state)")
            return
        }
        // The remaining time, and at most the time between two writes in addition.
        #expect((500...515).contains(seconds))
        await again.settled()
        fixture.boot.advance(by: .seconds(60))
        #expect(
            LockFixture(again.vault.copy(), boot: fixture.boot).lock.state
                == .lockedOut(seconds: seconds - 60))
    }

    @Test func repeatedRebootsDoNotShortenWait() async {
        await fixture.fail(5)
        var vault = fixture.vault
        for start in 1...50 {
            fixture.boot.restart(as: "start \(start)")
            let again = LockFixture(vault.copy(), boot: fixture.boot)
            await again.settled()
            vault = again.vault
        }
        #expect(LockFixture(vault, boot: fixture.boot).lock.state == .lockedOut(seconds: 600))
    }

    /// A clock that goes back without a reboot was changed by someone.
    @Test(arguments: [-86_400, -3600, -1]) func clockSetBackDoesNotShortenWait(_ seconds: Int) async {
        await fixture.fail(5)
        fixture.boot.advance(by: .seconds(seconds))
        #expect(LockFixture(fixture.vault.copy(), boot: fixture.boot).lock.state == .lockedOut(seconds: 600))
    }

    @Test func unknownAttemptsStartFirstWait() async throws {
        let mark = try #require(PasscodeMark(id: FakePasscodeStore.id, holder: .file, digits: 4))
        let vault = FakePasscodeStore("1234")
        vault.finding = .found(mark, nil)
        let fixture = LockFixture(vault)
        #expect(fixture.lock.state == .lockedOut(seconds: 600))
        await fixture.settled()
        #expect(vault.disk?.attempts.failures == 5, "and the next start knows of it")
    }

    @Test func remainingWaitIsAtMostWholeWait() {
        let moment = BootMoment(boot: "first", time: .zero)
        #expect(Attempts(failures: 5, wait: .init(left: .seconds(600), moment: moment)) != nil)
        for (failures, left) in [(5, 601), (10, 1201), (4, 1), (0, 1), (5, 0), (5, -1), (20, 3601)] {
            #expect(Attempts(failures: failures, wait: .init(left: .seconds(left), moment: moment)) == nil)
        }
        for failures in [-1, 1_000_001] { #expect(Attempts(failures: failures, wait: nil) == nil) }
    }
}
