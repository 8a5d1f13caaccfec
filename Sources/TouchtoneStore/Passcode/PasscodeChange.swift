// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A change that saves the hash of a new passcode and its state, or neither: a failure leaves the previous ones.
struct PasscodeChange: Sendable {
    let state: PrivateFile
    let record: PrivateFile
    let keyring: Keyring

    /// Saves the hash in the keyring, or in the file if there is no keyring.
    func make(_ kept: HashRecord) throws(PasscodeError) -> PasscodeMark {
        let holder = try hasKeyring() ? PasscodeHolder.keyring : .file
        guard let mark = PasscodeMark(id: kept.id, holder: holder, digits: kept.digits) else {
            throw .noMemory
        }
        let before = (state: state.read(), record: record.read())
        // Unreadable content could not be restored after a failure.
        for case .failed(let error) in [before.state, before.record] { throw .notRead(reason: error.reason) }
        let inKeyring =
            holder == .keyring ? try ask { () throws(Keyring.Failure) in try keyring.lookup() } : nil
        do throws(PasscodeError) {
            // The hash is written first: a state without a hash would lock the phone permanently.
            switch holder {
            case .file:
                try save { () throws(SystemCallError) in try record.write(kept.text) }
                try writeState(of: mark)
            case .keyring:
                try ask { () throws(Keyring.Failure) in try keep(kept.text) }
                try writeState(of: mark)
                // Without this note, losing the state file would remove the passcode.
                try save { () throws(SystemCallError) in try record.write(mark.note ?? "") }
            }
        } catch {
            restore(before.state, in: state)
            // As long as the state says that the new passcode is set, its hash must stay.
            if state.read() == before.state {
                restore(before.record, in: record)
                if holder == .keyring { restoreKeyring(inKeyring) }
            }
            throw error
        }
        return mark
    }

    private func hasKeyring() throws(PasscodeError) -> Bool {
        do throws(Keyring.Failure) {
            try keyring.find()
            return true
        } catch {
            // A keyring that is slow or refuses access exists, and reports its own error later.
            guard case .absent = error else { throw PasscodeError(error) }
            return false
        }
    }

    private func keep(_ text: String) throws(Keyring.Failure) {
        try keyring.store(text, label: Self.label)
        // A keyring that reports success without saving would lock out its owner.
        guard try keyring.lookup() == text else { throw .refused(localized("it did not save the passcode")) }
    }

    private static var label: String { localized("Touchtone passcode") }

    private func writeState(of mark: PasscodeMark) throws(PasscodeError) {
        let new = LockRecord(mark: mark, attempts: Attempts()).text
        try save { () throws(SystemCallError) in try state.write(new) }
    }

    private func save(_ body: () throws(SystemCallError) -> Void) throws(PasscodeError) {
        do throws(SystemCallError) {
            try body()
        } catch {
            throw PasscodeError(error)
        }
    }

    private func ask<Answer>(_ body: () throws(Keyring.Failure) -> Answer) throws(PasscodeError) -> Answer {
        do throws(Keyring.Failure) {
            return try body()
        } catch {
            throw PasscodeError(error)
        }
    }

    private func restoreKeyring(_ text: String?) {
        if let text {
            try? keyring.store(text, label: Self.label)
        } else {
            try? keyring.clear()
        }
    }

    private func restore(_ content: PrivateFile.Content, in file: PrivateFile) {
        guard file.read() != content else { return }
        switch content {
        case .none: try? file.remove()
        case .text(let text): try? file.write(text)
        case .unreadable, .unsafe, .failed: break
        }
    }
}

extension PasscodeError {
    init(_ error: SystemCallError) { self = .notSaved(reason: error.reason) }

    init(_ failure: Keyring.Failure) {
        switch failure {
        case .absent(let reason): self = .noKeyring(reason: reason)
        case .refused(let reason): self = .keyringRefused(reason: reason)
        }
    }
}
