// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// A passcode store in memory that records the order of operations and answers when the test allows it.
@MainActor
final class FakeVault: PasscodeStore {
    /// The contents of the disk, which a restarted program would find.
    private(set) var disk: LockRecord?
    private(set) var passcode: Passcode?
    var notes: [String] = []
    /// The closure to call during a comparison.
    var onVerify: (@MainActor () -> Void)?
    /// The verdict to return instead of the true one.
    var verdict: PasscodeVerdict?
    /// The error that writing fails with.
    var failure: PasscodeError?
    /// The data to find instead of the contents of the disk.
    var finding: PasscodeFinding?
    let files = ["~/lock", "~/passcode"]

    static let id = String(repeating: "0a", count: 16)

    init(_ passcode: String? = nil, attempts: Attempts = Attempts()) {
        guard let passcode = passcode.flatMap({ Passcode($0) }) else { return }
        self.passcode = passcode
        disk = PasscodeMark(id: Self.id, holder: .file, digits: passcode.digits.count)
            .map { LockRecord(mark: $0, attempts: attempts) }
    }

    /// Creates a store with the contents of the disk at a moment when the program was killed.
    init(disk: LockRecord?, passcode: Passcode?) {
        // The record is read from its text, as the program would.
        self.disk = disk.flatMap { LockRecord(text: $0.text) }
        self.passcode = passcode
    }

    /// Returns the store that a program started now would find.
    func copy() -> FakeVault { FakeVault(disk: disk, passcode: passcode) }

    func load() -> PasscodeFinding { finding ?? disk.map { .found($0.mark, $0.attempts) } ?? .none }

    func save(_ record: LockRecord) async throws(PasscodeError) {
        await Task.yield()
        if let failure { throw failure }
        disk = record
        notes.append("save \(record.attempts.failures)")
    }

    func verify(_ passcode: Passcode, for mark: PasscodeMark) async -> PasscodeVerdict {
        await Task.yield()
        notes.append("verify")
        onVerify?()
        return verdict ?? (passcode == self.passcode ? .right : .wrong)
    }

    func set(_ passcode: Passcode, replacing old: PasscodeMark?) async throws(PasscodeError) -> PasscodeMark {
        await Task.yield()
        if let failure { throw failure }
        guard let mark = PasscodeMark(id: old?.id ?? Self.id, holder: .keyring, digits: passcode.digits.count)
        else { throw .noMemory }
        (self.passcode, disk) = (passcode, LockRecord(mark: mark, attempts: Attempts()))
        return mark
    }

    func remove(_ mark: PasscodeMark) async throws(PasscodeError) {
        if let failure { throw failure }
        (passcode, disk) = (nil, nil)
    }
}

/// A boot clock controlled by the test: its reboots and elapsed time.
final class FakeBoot: BootClock {
    private let now = Mutex(BootMoment(boot: "first", time: .seconds(1000)))

    var moment: BootMoment { now.withLock { $0 } }

    /// Advances the clock.
    func advance(by duration: Duration) {
        now.withLock { $0 = BootMoment(boot: $0.boot, time: $0.time + duration) }
    }

    /// Reboots the machine.
    func restart(as boot: String = "second") {
        now.withLock { $0 = BootMoment(boot: boot, time: .seconds(20)) }
    }
}
