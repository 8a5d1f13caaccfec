// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A passcode store in memory whose verdict arrives when the test allows it.
@MainActor
final class MemoryVault: PasscodeStore {
    private let passcode: Passcode?
    private var finding: PasscodeFinding
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether verdicts wait for `release()`.
    var isHeld = false
    let files = ["~/.local/state/touchtone/lock", "~/.local/share/touchtone/passcode"]

    init(_ passcode: String? = nil) {
        self.passcode = passcode.flatMap { Passcode($0) }
        finding =
            self.passcode.flatMap {
                PasscodeMark(id: String(repeating: "0a", count: 16), holder: .file, digits: $0.digits.count)
            }.map { .found($0, Attempts()) } ?? .none
    }

    init(finding: PasscodeFinding) {
        passcode = nil
        self.finding = finding
    }

    func load() -> PasscodeFinding { finding }

    func save(_ record: LockRecord) async throws(PasscodeError) {
        finding = .found(record.mark, record.attempts)
    }

    func verify(_ passcode: Passcode, for mark: PasscodeMark) async -> PasscodeVerdict {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        return passcode == self.passcode ? .right : .wrong
    }

    /// Whether a verdict is pending.
    var isAsked: Bool { !waiting.isEmpty }

    /// Releases the held verdicts.
    func release() {
        isHeld = false
        for one in waiting { one.resume() }
        waiting = []
    }

    func set(_ passcode: Passcode, replacing old: PasscodeMark?) async throws(PasscodeError) -> PasscodeMark {
        throw .noMemory
    }

    func remove(_ mark: PasscodeMark) async throws(PasscodeError) { throw .noMemory }
}

/// A clock of a machine that has just started.
struct StandingClock: BootClock {
    let moment = BootMoment(boot: "test", time: .seconds(1))
}
