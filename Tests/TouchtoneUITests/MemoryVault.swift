// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A passcode in memory, whose verdict comes when the test lets it.
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

    /// Whether a verdict waits.
    var isAsked: Bool { !waiting.isEmpty }

    /// Lets the verdicts out.
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

/// A machine that has just been started.
struct StandingClock: BootClock {
    let moment = BootMoment(boot: "test", time: .seconds(1))
}
