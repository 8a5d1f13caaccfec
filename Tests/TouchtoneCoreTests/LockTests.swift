// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct LockTests {
    private let fixture = LockFixture("1234")

    @Test func phoneWithoutPasscodeIsOpenAndCannotLock() {
        let fixture = LockFixture(nil)
        #expect(fixture.lock.state == .open)
        #expect(!fixture.lock.isSet)
        #expect(!fixture.lock.lock())
        #expect(fixture.lock.state == .open)
    }

    @Test func phoneWithPasscodeStartsLocked() {
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.length == 4)
    }

    @Test func lastDigitUnlocksWithoutAnotherKey() async {
        var seen: [Lock.State] = []
        fixture.lock.observe(by: fixture) { [lock = fixture.lock] in seen.append(lock.state) }
        await fixture.enter("1234")
        #expect(
            seen == [
                .locked(entered: 0), .locked(entered: 1), .locked(entered: 2), .locked(entered: 3), .checking,
                .open,
            ])
        #expect(fixture.vault.disk?.attempts == Attempts())
    }

    @Test func deleteClearsLastDotAndIgnoresEmptyRow() async {
        fixture.lock.deleteLast()
        #expect(fixture.lock.state == .locked(entered: 0))
        fixture.press("19")
        fixture.lock.deleteLast()
        #expect(fixture.lock.state == .locked(entered: 1))
        await fixture.enter("234")
        #expect(fixture.lock.state == .open)
    }

    @Test func wrongPasscodeIsShownForHalfSecond() async {
        await fixture.enter("9234")
        #expect(fixture.lock.state == .refused)
        #expect(fixture.heard == "ccccE")
        fixture.clock.advance(by: .milliseconds(499))
        #expect(fixture.lock.state == .refused)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.attempts.leftBeforeLockout == 4)
    }

    @Test func everyKeyMakesSameClick() {
        for digit in 0...9 {
            let fixture = LockFixture("1234")
            fixture.lock.press(digit)
            fixture.lock.deleteLast()
            #expect(fixture.heard == "cc")
        }
    }

    @Test func nonDigitsAreIgnored() {
        for digit in [-1, 10, 256, Int.max, Int.min] { fixture.lock.press(digit) }
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.heard == "")
    }

    @Test func digitsTypedAheadBelongToNextPasscode() async {
        fixture.press("9999")
        fixture.press("12")
        #expect(fixture.lock.state == .checking)
        await fixture.settled()
        fixture.press("39")
        fixture.lock.deleteLast()
        fixture.clock.advance(by: Lock.refusal)
        #expect(fixture.lock.state == .locked(entered: 3))
        await fixture.enter("4")
        #expect(fixture.lock.state == .open)
    }

    @Test func digitsTypedAheadOfRightPasscodeAreDropped() async {
        fixture.press("1234")
        fixture.press("77")
        await fixture.settled()
        #expect(fixture.lock.state == .open)
        fixture.lock.lock()
        #expect(fixture.lock.state == .locked(entered: 0))
    }

    @Test func eachVerdictComparesWholePasscodeOnce() async {
        for wrong in ["0234", "1034", "1204", "1230"] {
            let fixture = LockFixture("1234")
            fixture.press(String(wrong.prefix(3)))
            #expect(fixture.vault.notes == [], "nothing is compared before the last digit")
            await fixture.enter(String(wrong.suffix(1)))
            #expect(fixture.vault.notes == ["save 1", "verify"])
        }
    }

    @Test func eightDigitsAreExpectedForPasscodeOfEight() async {
        let fixture = LockFixture("12345678")
        fixture.press("1234567")
        #expect(fixture.lock.state == .locked(entered: 7))
        await fixture.enter("8")
        #expect(fixture.lock.state == .open)
    }

    @Test func attemptIsRefusedIfItCannotBeCounted() async {
        fixture.vault.failure = .notSaved(reason: "No space left on device")
        await fixture.enter("1234")
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.trouble == .notSaved(reason: "No space left on device"))
        #expect(fixture.vault.notes == [], "it was not compared")
        fixture.vault.failure = nil
        await fixture.enter("1234")
        #expect(fixture.lock.state == .open)
    }

    @Test func unresponsiveKeyringCostsNoAttempt() async {
        fixture.vault.verdict = .unavailable(.noKeyring(reason: ""))
        for _ in 1...7 { await fixture.enter("1234") }
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.attempts == Attempts())
        #expect(fixture.vault.disk?.attempts == Attempts())
        fixture.vault.verdict = nil
        await fixture.enter("1234")
        #expect(fixture.lock.state == .open)
    }

    @Test(arguments: [PasscodeFault.missing, .damaged, .another, .unsafe, .unread])
    func failedCheckUnlocksNothing(_ fault: PasscodeFault) async {
        let found = FakePasscodeStore()
        found.finding = .unusable(fault)
        let fixture = LockFixture(found)
        #expect(fixture.lock.state == .unusable(fault))
        #expect(fixture.lock.isSet)
        fixture.press("1234")
        #expect(fixture.lock.state == .unusable(fault))
        #expect(fixture.heard == "")
        #expect(fixture.vault.notes == [])
        // The hash may disappear while the program runs.
        self.fixture.vault.verdict = .unusable(fault)
        await self.fixture.enter("1234")
        #expect(self.fixture.lock.state == .unusable(fault))
    }

    @Test func passcodeOfUnexpectedLengthIsRequestedAgain() async {
        fixture.vault.verdict = .length(6)
        await fixture.enter("1234")
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.length == 6)
        #expect(fixture.lock.attempts.failures == 0)
    }

    @Test func lockingDuringEntryClearsIt() async {
        await fixture.enter("1234")
        fixture.lock.lock()
        fixture.press("12")
        #expect(fixture.lock.lock())
        #expect(fixture.lock.state == .locked(entered: 2), "a lock that is locked stays as it is")
    }

    @Test func lockingDuringComparisonStaysLocked() async {
        await fixture.fail(2)
        fixture.vault.onVerify = { [lock = fixture.lock] in lock.lock() }
        await fixture.enter("1234")
        fixture.vault.onVerify = nil
        #expect(fixture.lock.state == .locked(entered: 0))
        #expect(fixture.lock.attempts == Attempts(), "the passcode was right")
        await fixture.enter("1234")
        #expect(fixture.lock.state == .open)
    }

    @Test func lockingDuringFailedComparisonAllowsNextRightPasscode() async {
        fixture.vault.onVerify = { [lock = fixture.lock] in lock.lock() }
        await fixture.enter("0000")
        fixture.vault.onVerify = nil
        #expect(fixture.lock.state == .refused)
        fixture.clock.advance(by: Lock.refusal)
        await fixture.enter("1234")
        #expect(fixture.lock.state == .open)
    }

    @Test func lockingDuringPasscodeRemovalUnlocks() async throws {
        for typed in ["", "12", "1234"] {
            let fixture = LockFixture("1234")
            await fixture.enter("1234")
            fixture.vault.onVerify = { [weak fixture] in
                fixture?.vault.onVerify = nil
                fixture?.lock.lock()
                fixture?.press(typed)
            }
            try await fixture.lock.remove(old: #require(Passcode("1234")))
            await fixture.settled()
            #expect(!fixture.lock.isSet)
            #expect(fixture.lock.state == .open, "with \(typed.count) digits entered meanwhile")
        }
    }

    @Test func lockingDuringPasscodeChangeAcceptsNewPasscode() async throws {
        let fixture = LockFixture("12345678")
        await fixture.enter("12345678")
        fixture.vault.onVerify = { [weak fixture] in
            fixture?.vault.onVerify = nil
            fixture?.lock.lock()
            fixture?.press("12345")
        }
        try await fixture.lock.change(old: #require(Passcode("12345678")), new: #require(Passcode("4711")))
        #expect(fixture.lock.state == .locked(entered: 0))
        await fixture.enter("4711")
        #expect(fixture.lock.state == .open)
    }
}

/// A lock with its dependencies in memory.
@MainActor
final class LockFixture {
    let vault: FakePasscodeStore
    let clock = ManualScheduler()
    let boot: FakeBootClock
    let lock: Lock
    private let sounds = FakeTones()

    /// The sounds so far: `c` for a click, `E` for the error tone.
    var heard: String {
        sounds.calls.replacing("<keyClick>", with: "c").replacing("<errorTone>", with: "E")
    }

    init(_ vault: FakePasscodeStore, boot: FakeBootClock = FakeBootClock()) {
        self.vault = vault
        self.boot = boot
        lock = Lock(
            store: vault, clock: clock, boot: boot,
            sounds: sounds
        )
    }

    convenience init(_ passcode: String?) { self.init(FakePasscodeStore(passcode)) }

    func press(_ digits: String) {
        for digit in digits { lock.press(digit.wholeNumberValue ?? -1) }
    }

    /// Presses the digits, and waits for the result.
    func enter(_ digits: String) async {
        press(digits)
        await settled()
    }

    /// Waits until no comparison and no write is pending.
    func settled() async {
        var rest = 0
        // What ends may begin a write, in a task of its own, which comes after this one.
        while rest < 2 {
            await Task { @MainActor in }.value
            rest = lock.state == .checking || vault.isBusy ? 0 : rest + 1
        }
    }

    /// Advances the clock of the machine and its timers.
    func advance(by duration: Duration) {
        var rest = duration
        while rest > .zero {
            let step = min(rest, .milliseconds(250))
            boot.advance(by: step)
            clock.advance(by: step)
            rest -= step
        }
    }

    /// Enters wrong passcodes one after another.
    func fail(_ times: Int) async {
        for _ in 0..<times {
            await enter("0000")
            advance(by: Lock.refusal)
            await settled()
        }
    }
}
