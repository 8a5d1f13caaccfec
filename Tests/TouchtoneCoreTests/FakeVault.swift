// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// A store in memory, which takes note of the order of things and answers when the test lets it.
@MainActor
final class FakeVault: PasscodeStore {
    /// What is on the disk: what a program that is started again would find.
    private(set) var disk: LockRecord?
    private(set) var passcode: Passcode?
    var notes: [String] = []
    /// Called in the middle of a comparison.
    var onVerify: (@MainActor () -> Void)?
    /// The verdict in place of the true one.
    var verdict: PasscodeVerdict?
    /// Why nothing can be written.
    var failure: PasscodeError?
    /// What is found in place of what is on the disk.
    var finding: PasscodeFinding?
    let files = ["~/lock", "~/passcode"]

    static let id = String(repeating: "0a", count: 16)

    init(_ passcode: String? = nil, attempts: Attempts = Attempts()) {
        guard let passcode = passcode.flatMap({ Passcode($0) }) else { return }
        self.passcode = passcode
        disk = PasscodeMark(id: Self.id, holder: .file, digits: passcode.digits.count)
            .map { LockRecord(mark: $0, attempts: attempts) }
    }

    /// A store with what was on the disk at a moment: the program was killed then.
    init(disk: LockRecord?, passcode: Passcode?) {
        // Through its text, as the program would read it.
        self.disk = disk.flatMap { LockRecord(text: $0.text) }
        self.passcode = passcode
    }

    /// What somebody finds who starts the program now.
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

/// A machine whose run the test decides: when it is started again, and what time passes.
final class FakeBoot: BootClock {
    private let now = Mutex(BootMoment(boot: "first", time: .seconds(1000)))

    var moment: BootMoment { now.withLock { $0 } }

    /// Time passes for the machine.
    func advance(by duration: Duration) {
        now.withLock { $0 = BootMoment(boot: $0.boot, time: $0.time + duration) }
    }

    /// The machine is started again.
    func restart(as boot: String = "second") {
        now.withLock { $0 = BootMoment(boot: boot, time: .seconds(20)) }
    }
}
