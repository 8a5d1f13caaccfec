// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension Lock: PasscodeAdministration {
    /// A sentence that says where the passcode is stored, or that it is missing or damaged; empty if none is set.
    var place: String {
        guard isSet else { return "" }
        switch holder {
        case .keyring: return localized("Saved in your keyring, in a form that can’t be read back.")
        case .file:
            return localized(
                "No keyring was available, so it is saved in a private file, in a form that can’t be read back."
            )
        case nil: return localized("The saved passcode is missing or damaged.")
        }
    }

    func setPasscode(_ new: String) async -> String? {
        guard let new = Passcode(new) else { return Self.notAPasscode }
        return await errorText { () throws(PasscodeError) in try await set(new: new) }
    }

    /// Changes the passcode; a wrong old one counts as a failed attempt.
    func changePasscode(from old: String, to new: String) async -> String? {
        guard let old = Passcode(old), let new = Passcode(new) else { return Self.notAPasscode }
        return await errorText { () throws(PasscodeError) in try await change(old: old, new: new) }
    }

    /// Removes the passcode; a wrong one counts as a failed attempt.
    func removePasscode(_ old: String) async -> String? {
        guard let old = Passcode(old) else { return Self.notAPasscode }
        return await errorText { () throws(PasscodeError) in try await remove(old: old) }
    }

    private static var notAPasscode: String { localized("A passcode must have 4 to 8 digits.") }

    /// Runs `body` and returns the text of its error, or nil on success.
    private func errorText(_ body: () async throws(PasscodeError) -> Void) async -> String? {
        do throws(PasscodeError) {
            try await body()
            return nil
        } catch {
            return error.text
        }
    }
}
