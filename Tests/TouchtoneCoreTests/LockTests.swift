// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct LockTests {
    private let desk = LockDesk("1234")

    @Test func aPhoneWithoutAPasscodeIsOpenAndCannotBeLocked() {
        let desk = LockDesk(nil)
        #expect(desk.lock.state == .open)
        #expect(!desk.lock.isSet)
        #expect(!desk.lock.lock())
        #expect(desk.lock.state == .open)
    }

    @Test func aPhoneWithAPasscodeStartsLocked() {
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.lock.length == 4)
    }

    @Test func theLastDigitOpensItWithoutAnotherKey() async {
        var seen: [Lock.State] = []
        desk.lock.follow(desk) { [lock = desk.lock] in seen.append(lock.state) }
        await desk.enter("1234")
        #expect(
            seen == [
                .locked(entered: 0), .locked(entered: 1), .locked(entered: 2), .locked(entered: 3), .checking,
                .open,
            ])
        #expect(desk.vault.disk?.attempts == Attempts())
    }

    @Test func deleteEmptiesTheLastDotAndNothingOfAnEmptyRow() async {
        desk.lock.deleteLast()
        #expect(desk.lock.state == .locked(entered: 0))
        desk.press("19")
        desk.lock.deleteLast()
        #expect(desk.lock.state == .locked(entered: 1))
        await desk.enter("234")
        #expect(desk.lock.state == .open)
    }

    @Test func aWrongPasscodeIsSeenForHalfASecond() async {
        await desk.enter("9234")
        #expect(desk.lock.state == .refused)
        #expect(desk.heard == "ccccE")
        desk.clock.advance(by: .milliseconds(499))
        #expect(desk.lock.state == .refused)
        desk.clock.advance(by: .milliseconds(1))
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.lock.attempts.leftInRound == 4)
    }

    @Test func everyKeyMakesTheSameClick() {
        for digit in 0...9 {
            let desk = LockDesk("1234")
            desk.lock.press(digit)
            desk.lock.deleteLast()
            #expect(desk.heard == "cc")
        }
    }

    @Test func whatIsNoDigitIsNotPressed() {
        for digit in [-1, 10, 256, Int.max, Int.min] { desk.lock.press(digit) }
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.heard == "")
    }

    @Test func digitsTypedAheadBelongToTheNextPasscode() async {
        desk.press("9999")
        desk.press("12")
        #expect(desk.lock.state == .checking)
        await desk.settled()
        desk.press("39")
        desk.lock.deleteLast()
        desk.clock.advance(by: Lock.refusal)
        #expect(desk.lock.state == .locked(entered: 3))
        await desk.enter("4")
        #expect(desk.lock.state == .open)
    }

    @Test func digitsTypedAheadOfARightPasscodeGoNowhere() async {
        desk.press("1234")
        desk.press("77")
        await desk.settled()
        #expect(desk.lock.state == .open)
        desk.lock.lock()
        #expect(desk.lock.state == .locked(entered: 0))
    }

    @Test func eachVerdictTakesOneComparisonAndTheWholePasscode() async {
        for wrong in ["0234", "1034", "1204", "1230"] {
            let desk = LockDesk("1234")
            desk.press(String(wrong.prefix(3)))
            #expect(desk.vault.notes == [], "nothing is compared before the last digit")
            await desk.enter(String(wrong.suffix(1)))
            #expect(desk.vault.notes == ["save 1", "verify"])
        }
    }

    @Test func eightDigitsAreAwaitedWhereThePasscodeHasEight() async {
        let desk = LockDesk("12345678")
        desk.press("1234567")
        #expect(desk.lock.state == .locked(entered: 7))
        await desk.enter("8")
        #expect(desk.lock.state == .open)
    }

    @Test func whatCannotBeCountedCannotBeTried() async {
        desk.vault.failure = .notSaved(reason: "No space left on device")
        await desk.enter("1234")
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.lock.trouble == .notSaved(reason: "No space left on device"))
        #expect(desk.vault.notes == [], "it was not compared")
        desk.vault.failure = nil
        await desk.enter("1234")
        #expect(desk.lock.state == .open)
    }

    @Test func aKeyringThatDoesNotAnswerCostsNoAttempt() async {
        desk.vault.verdict = .unavailable(.noKeyring(reason: ""))
        for _ in 1...7 { await desk.enter("1234") }
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.lock.attempts == Attempts())
        #expect(desk.vault.disk?.attempts == Attempts())
        desk.vault.verdict = nil
        await desk.enter("1234")
        #expect(desk.lock.state == .open)
    }

    @Test(arguments: [PasscodeFault.missing, .damaged, .another, .unsafe, .unread])
    func whatCannotBeCheckedOpensNothing(_ fault: PasscodeFault) async {
        let found = FakeVault()
        found.finding = .unusable(fault)
        let desk = LockDesk(found)
        #expect(desk.lock.state == .unusable(fault))
        #expect(desk.lock.isSet)
        desk.press("1234")
        #expect(desk.lock.state == .unusable(fault))
        #expect(desk.heard == "")
        #expect(desk.vault.notes == [])
        // The hash may go while the program runs.
        self.desk.vault.verdict = .unusable(fault)
        await self.desk.enter("1234")
        #expect(self.desk.lock.state == .unusable(fault))
    }

    @Test func aPasscodeOfAnotherLengthThanWasThoughtIsAskedForAnew() async {
        desk.vault.verdict = .length(6)
        await desk.enter("1234")
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.lock.length == 6)
        #expect(desk.lock.attempts.failures == 0)
    }

    @Test func lockedInTheMiddleItBeginsAnew() async {
        await desk.enter("1234")
        desk.lock.lock()
        desk.press("12")
        #expect(desk.lock.lock())
        #expect(desk.lock.state == .locked(entered: 2), "a lock that is locked stays as it is")
    }

    @Test func lockedWhileItIsComparedItStaysLocked() async {
        await desk.fail(2)
        desk.vault.onVerify = { [lock = desk.lock] in lock.lock() }
        await desk.enter("1234")
        desk.vault.onVerify = nil
        #expect(desk.lock.state == .locked(entered: 0))
        #expect(desk.lock.attempts == Attempts(), "the passcode was right")
        await desk.enter("1234")
        #expect(desk.lock.state == .open)
    }

    @Test func lockedWhileAWrongOneIsComparedItOpensAtTheNextRightOne() async {
        desk.vault.onVerify = { [lock = desk.lock] in lock.lock() }
        await desk.enter("0000")
        desk.vault.onVerify = nil
        #expect(desk.lock.state == .refused)
        desk.clock.advance(by: Lock.refusal)
        await desk.enter("1234")
        #expect(desk.lock.state == .open)
    }

    @Test func lockedWhileThePasscodeIsRemovedItOpens() async throws {
        for typed in ["", "12", "1234"] {
            let desk = LockDesk("1234")
            await desk.enter("1234")
            desk.vault.onVerify = { [weak desk] in
                desk?.vault.onVerify = nil
                desk?.lock.lock()
                desk?.press(typed)
            }
            try await desk.lock.remove(old: #require(Passcode("1234")))
            await desk.settled()
            #expect(!desk.lock.isSet)
            #expect(desk.lock.state == .open, "with \(typed.count) digits entered meanwhile")
        }
    }

    @Test func lockedWhileThePasscodeIsChangedTheNewOneOpensIt() async throws {
        let desk = LockDesk("12345678")
        await desk.enter("12345678")
        desk.vault.onVerify = { [weak desk] in
            desk?.vault.onVerify = nil
            desk?.lock.lock()
            desk?.press("12345")
        }
        try await desk.lock.change(old: #require(Passcode("12345678")), new: #require(Passcode("4711")))
        #expect(desk.lock.state == .locked(entered: 0))
        await desk.enter("4711")
        #expect(desk.lock.state == .open)
    }
}

/// A lock with all that it needs, in memory.
@MainActor
final class LockDesk {
    let vault: FakeVault
    let clock = FakeClock()
    let boot: FakeBoot
    let lock: Lock
    private let sounds = FakeTones()

    /// What was heard: `c` for a click, `E` for the error tone.
    var heard: String {
        sounds.calls.replacing("<keyClick>", with: "c").replacing("<errorTone>", with: "E")
    }

    init(_ vault: FakeVault, boot: FakeBoot = FakeBoot()) {
        self.vault = vault
        self.boot = boot
        lock = Lock(
            store: vault, clock: clock, boot: boot,
            sounds: sounds
        )
    }

    convenience init(_ passcode: String?) { self.init(FakeVault(passcode)) }

    func press(_ digits: String) {
        for digit in digits { lock.press(digit.wholeNumberValue ?? -1) }
    }

    /// Presses the digits, and waits for what comes of it.
    func enter(_ digits: String) async {
        press(digits)
        await settled()
    }

    /// Waits until nothing is being compared or written.
    func settled() async {
        while lock.state == .checking { await Task.yield() }
        for _ in 0..<20 { await Task.yield() }
    }

    /// Time passes, on the machine and for its timers.
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
