// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A passcode store in memory that records the order of operations and answers when the test allows it.
@MainActor
public final class FakePasscodeStore: PasscodeStore {
    /// The contents of the disk, which a restarted program would find.
    public private(set) var disk: LockRecord?
    /// The stored passcode.
    public private(set) var passcode: Passcode?
    /// The operations, in order.
    public var notes: [String] = []
    /// The closure to call during a comparison.
    public var onVerify: (@MainActor () -> Void)?
    /// The verdict to return instead of the true one.
    public var verdict: PasscodeVerdict?
    /// The error that writing fails with.
    public var failure: PasscodeError?
    /// The data to find instead of the contents of the disk.
    public var finding: PasscodeFinding?
    /// The files that the user may delete.
    public let files = ["~/lock", "~/passcode"]
    /// Whether verdicts wait for `release()`.
    public var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var running = 0
    /// Whether a comparison or a write has begun and not ended.
    public var isBusy: Bool { running > 0 }

    /// The identifier of the passcode.
    public static let id = String(repeating: "0a", count: 16)

    /// Creates a store with a passcode, or without one.
    public init(_ passcode: String? = nil, attempts: Attempts = Attempts()) {
        guard let passcode = passcode.flatMap({ Passcode($0) }) else { return }
        self.passcode = passcode
        disk = PasscodeMark(id: Self.id, holder: .file, digits: passcode.digits.count)
            .map { LockRecord(mark: $0, attempts: attempts) }
    }

    /// Creates a store with the contents of the disk at a moment when the program was killed.
    private init(disk: LockRecord?, passcode: Passcode?) {
        // The record is read from its text, as the program would.
        self.disk = disk.flatMap { LockRecord(text: $0.text) }
        self.passcode = passcode
    }

    /// Returns the store that a program started now would find.
    public func copy() -> FakePasscodeStore { FakePasscodeStore(disk: disk, passcode: passcode) }

    /// Returns what the test has set, or the contents of the disk.
    public func load() -> PasscodeFinding { finding ?? disk.map { .found($0.mark, $0.attempts) } ?? .none }

    /// Saves a record.
    public func save(_ record: LockRecord) async throws(PasscodeError) {
        running += 1
        defer { running -= 1 }
        await Task.yield()
        if let failure { throw failure }
        disk = record
        notes.append("save \(record.attempts.failures)")
    }

    /// Compares a passcode with the stored one.
    public func verify(_ passcode: Passcode, for mark: PasscodeMark) async -> PasscodeVerdict {
        running += 1
        defer { running -= 1 }
        await Task.yield()
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        notes.append("verify")
        onVerify?()
        return verdict ?? (passcode == self.passcode ? .right : .wrong)
    }

    /// Whether a verdict is pending.
    public var isAsked: Bool { !waiting.isEmpty }

    /// Releases the held verdicts.
    public func release() {
        isHeld = false
        for one in waiting { one.resume() }
        waiting = []
    }

    /// Stores a passcode.
    public func set(_ passcode: Passcode, replacing old: PasscodeMark?) async throws(PasscodeError)
        -> PasscodeMark
    {
        running += 1
        defer { running -= 1 }
        await Task.yield()
        if let failure { throw failure }
        guard let mark = PasscodeMark(id: old?.id ?? Self.id, holder: .keyring, digits: passcode.digits.count)
        else { throw .noMemory }
        (self.passcode, disk) = (passcode, LockRecord(mark: mark, attempts: Attempts()))
        return mark
    }

    /// Removes the passcode.
    public func remove(_ mark: PasscodeMark) async throws(PasscodeError) {
        if let failure { throw failure }
        (passcode, disk) = (nil, nil)
    }
}
