// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct PasscodeSettingTests {
    private let old: Passcode
    private let new: Passcode

    init() throws {
        old = try #require(Passcode("1234"))
        new = try #require(Passcode("567890"))
    }

    @Test func passcodeIsSetChangedAndRemoved() async throws {
        let fixture = LockFixture(nil)
        try await fixture.lock.set(new: old)
        #expect(fixture.lock.isSet)
        #expect(fixture.lock.holder == .keyring)
        #expect(fixture.lock.state == .open, "it is set by somebody who uses the phone")
        try await fixture.lock.change(old: old, new: new)
        #expect(fixture.lock.length == 6)
        #expect(fixture.lock.lock())
        await fixture.enter("567890")
        #expect(fixture.lock.state == .open)
        try await fixture.lock.remove(old: new)
        #expect(!fixture.lock.isSet)
        #expect(!fixture.lock.lock())
    }

    @Test func oldPasscodeIsRequestedAndCounted() async {
        let fixture = LockFixture("1234")
        await fixture.enter("1234")
        for left in [4, 3, 2, 1] {
            await #expect(throws: PasscodeError.wrong(attemptsLeft: left)) {
                try await fixture.lock.change(old: new, new: old)
            }
        }
        #expect(fixture.lock.state == .open)
        await #expect(throws: PasscodeError.lockedOut) { try await fixture.lock.remove(old: new) }
        #expect(fixture.lock.state == .lockedOut(seconds: 600), "who guesses finds the phone locked")
        await #expect(throws: PasscodeError.lockedOut) { try await fixture.lock.remove(old: old) }
    }

    @Test func missingPasscodeCannotBeChanged() async {
        let fixture = LockFixture(nil)
        await #expect(throws: PasscodeError.notSet) { try await fixture.lock.change(old: old, new: new) }
        await #expect(throws: PasscodeError.notSet) { try await fixture.lock.remove(old: old) }
    }

    @Test func existingPasscodeIsNotSetAgain() async {
        let fixture = LockFixture("1234")
        await #expect(throws: PasscodeError.lockedOut) { try await fixture.lock.set(new: new) }
        await fixture.enter("1234")
        await #expect(throws: PasscodeError.alreadySet) { try await fixture.lock.set(new: new) }
        #expect(fixture.vault.passcode == old)
    }

    @Test func nothingIsSetIfPasscodeCannotBeSaved() async {
        let fixture = LockFixture(nil)
        fixture.vault.failure = .notSaved(reason: "Read-only file system")
        await #expect(throws: PasscodeError.notSaved(reason: "Read-only file system")) {
            try await fixture.lock.set(new: new)
        }
        #expect(!fixture.lock.isSet)
    }

    @Test func attemptDuringChangeIsRefused() async {
        let fixture = LockFixture("1234")
        await fixture.enter("1234")
        let (lock, old, new) = (fixture.lock, old, new)
        fixture.vault.onVerify = {
            fixture.vault.onVerify = nil
            lock.lock()
            fixture.press("0000")
        }
        // The change may end before or after the attempt is reported, and its end clears earlier reports.
        var told: [PasscodeError] = []
        lock.observe(by: fixture.vault) { told += lock.trouble.map { [$0] } ?? [] }
        fixture.vault.notes.removeAll()
        try? await lock.change(old: old, new: new)
        await fixture.settled()
        #expect(told.contains(.busy))
        #expect(fixture.vault.notes.filter { $0 == "verify" }.count == 1)
        #expect(lock.attempts.failures == 0)
        #expect(lock.isLocked)
    }

    @Test(arguments: [
        "", "123", "123456789", "12a4", "12 34", "-123", "+123", "1.23", "१२३", "½½½½", "12\u{301}34",
    ])
    func invalidPasscodeIsRefused(_ text: String) {
        #expect(Passcode(text) == nil)
        #expect(Passcode(String(repeating: text, count: 1000)) == nil || text.isEmpty)
    }

    @Test func digitsOfAnyScriptAreAccepted() {
        #expect(Passcode("१२३४") == old)
        #expect(Passcode("１２３４") == old)
        #expect(Passcode([1, 2, 3, 10]) == nil)
    }

    @Test func dumpDoesNotRevealPasscode() {
        var dumped = ""
        dump(old, to: &dumped)
        for text in ["\(old)", String(reflecting: old), dumped] {
            #expect(!text.contains { "1234".contains($0) }, "\(text)")
        }
    }
}
