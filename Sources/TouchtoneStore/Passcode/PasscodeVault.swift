// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// A passcode store with the hash in the keyring, or in a file if there is no keyring, and the lock's state in another
/// file.
///
/// If the keyring has the hash, the file has a note of that: each of the two files says that a passcode is set.
public final class PasscodeVault: PasscodeStore {
    private let state: PrivateFile
    private let record: PrivateFile
    private let folders: UserFolders
    private let keyring = Keyring(service: "passcode", account: "lock")
    private let hash: any PasswordHash
    /// The thread of all operations, one at a time: the record that is written last is the one that stays.
    private let thread = BackgroundThread("passcode")

    public convenience init(folders: UserFolders = .standard) {
        self.init(folders: folders, hash: Argon2id())
    }

    /// - Parameter record: The file of the hash, or nil for the one in the folders.
    init(folders: UserFolders, hash: any PasswordHash, record: PrivateFile? = nil) {
        self.folders = folders
        self.hash = hash
        state = PrivateFile(folder: folders.state, name: "lock")
        self.record = record ?? PrivateFile(folder: folders.data, name: "passcode")
    }

    /// The paths of the lock's state and of the hash, whether or not the files exist.
    public var files: [String] { [state, record].map { folders.shown($0.path) } }

    /// Reads both files, each of which alone says that a passcode is set.
    public func load() -> PasscodeFinding {
        let (state, record) = (state.read(), record.read())
        if state == .none, record == .none { return .none }
        let kept = Self.hashRecord(in: record)
        guard case .text(let text) = state, let lock = LockRecord(text: text) else {
            // The attempts are unknown; a valid hash or note still says which passcode is set.
            return Self.mark(in: record)
                .map { .found($0, nil) } ?? .unusable(Self.fault(of: state, record))
        }
        guard lock.mark.holder == .file else { return .found(lock.mark, lock.attempts) }
        // The file may be readable when the hash is needed.
        if case .failed = record { return .found(lock.mark, lock.attempts) }
        guard let kept else { return .unusable(Self.fault(of: record)) }
        guard kept.id == lock.mark.id else { return .unusable(.another) }
        // An interrupted change of the passcode leaves the new hash and the old state.
        return PasscodeMark(id: kept.id, holder: .file, digits: kept.digits)
            .map { .found($0, lock.attempts) } ?? .unusable(.damaged)
    }

    private nonisolated static func hashRecord(in content: PrivateFile.Content) -> HashRecord? {
        guard case .text(let text) = content, let record = HashRecord(text: text),
            HashCost(of: record.hash)?.isBearable == true
        else { return nil }
        return record
    }

    /// Returns the passcode that the file belongs to, from its hash or from its note about the keyring.
    private nonisolated static func mark(in content: PrivateFile.Content) -> PasscodeMark? {
        if let kept = hashRecord(in: content) {
            return PasscodeMark(id: kept.id, holder: .file, digits: kept.digits)
        }
        guard case .text(let text) = content else { return nil }
        return PasscodeMark(note: text)
    }

    private nonisolated static func fault(of content: PrivateFile.Content) -> PasscodeFault {
        switch content {
        case .none: .missing
        case .unsafe: .unsafe
        case .text, .unreadable: .damaged
        case .failed: .unread
        }
    }

    /// Returns the reason why nothing is known of a passcode that is set.
    private nonisolated static func fault(
        of state: PrivateFile.Content, _ record: PrivateFile.Content
    ) -> PasscodeFault {
        for case .failed in [state, record] { return .unread }
        return state == .unsafe ? .unsafe : .damaged
    }
}

// MARK: - Lock state

extension PasscodeVault {
    public func save(_ lock: LockRecord) async throws(PasscodeError) {
        let state = state
        try await thread.run { Self.saving { () throws(SystemCallError) in try state.write(lock.text) } }
            .get()
    }

    private nonisolated static func saving(
        _ body: () throws(SystemCallError) -> Void
    ) -> Result<Void, PasscodeError> {
        Result(catching: body).mapError { PasscodeError($0) }
    }
}

// MARK: - Verification

extension PasscodeVault {
    /// Compares a passcode with the hash, which is in the place that the mark names.
    public func verify(_ passcode: Passcode, for mark: PasscodeMark) async -> PasscodeVerdict {
        let (record, keyring, hash) = (record, keyring, hash)
        return await thread.run {
            let content: PrivateFile.Content
            switch mark.holder {
            case .file: content = record.read()
            case .keyring:
                do throws(Keyring.Failure) {
                    // libsecret alone would only report that the request was refused.
                    try keyring.find()
                    content = try keyring.lookup().map { .text($0) } ?? .none
                } catch {
                    return .unavailable(PasscodeError(error))
                }
            }
            if case .failed(let error) = content { return .unavailable(.notRead(reason: error.reason)) }
            guard let kept = Self.hashRecord(in: content) else { return .unusable(Self.fault(of: content)) }
            guard kept.id == mark.id else { return .unusable(.another) }
            guard kept.digits == passcode.digits.count else { return .length(kept.digits) }
            guard let isRight = hash.matches(kept.hash, Self.password(passcode)) else {
                return .unavailable(.noMemory)
            }
            return isRight ? .right : .wrong
        }
    }

    private nonisolated static func password(_ passcode: Passcode) -> [CChar] {
        passcode.digits.map { CChar($0) + 48 }
    }
}

// MARK: - Changes

extension PasscodeVault {
    /// Saves the hash in the keyring, or in the file if no Secret Service is on the bus.
    public func set(_ passcode: Passcode, replacing old: PasscodeMark?) async throws(PasscodeError)
        -> PasscodeMark
    {
        let (state, record, keyring, hash) = (state, record, keyring, hash)
        return try await thread.run { () -> Result<PasscodeMark, PasscodeError> in
            guard let text = hash.make(Self.password(passcode)),
                let kept = HashRecord(id: old?.id ?? Self.newID(), digits: passcode.digits.count, hash: text)
            else { return .failure(.noMemory) }
            let change = PasscodeChange(state: state, record: record, keyring: keyring)
            return Result { () throws(PasscodeError) in try change.make(kept) }
        }.get()
    }

    /// Removes the passcode, and the hash last: as long as that exists, it unlocks the phone.
    public func remove(_ mark: PasscodeMark) async throws(PasscodeError) {
        let (state, record, keyring) = (state, record, keyring)
        try await thread.run { () -> Result<Void, PasscodeError> in
            let removed = Self.saving { () throws(SystemCallError) in
                try state.remove()
                try record.remove()
            }
            // A hash without a state and a note unlocks nothing, so a failure here is harmless.
            if mark.holder == .keyring, (try? removed.get()) != nil { try? keyring.clear() }
            return removed
        }.get()
    }

    private nonisolated static func newID() -> String {
        Hexadecimal.digits(of: (0..<16).map { _ in UInt8.random(in: 0...255) })
    }
}
