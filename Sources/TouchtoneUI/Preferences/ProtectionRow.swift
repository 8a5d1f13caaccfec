// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The switch that encrypts the messages on this computer, and the progress of a change.
///
/// It can be switched on only with a passcode, and stays on without one until the user switches it off.
@MainActor
final class ProtectionRow {
    private let group: Widget
    private let row: UnsafeMutablePointer<HdyActionRow>
    private let control, progressRow, bar: Widget
    private let protection: StoreProtection
    private let passcode: any PasscodeAdministration
    private var isShowing = false
    private var isDestroyed = false

    init(
        _ builder: Builder, protection: StoreProtection, passcode: any PasscodeAdministration
    ) throws(GLibError) {
        group = try builder.object("protection")
        row = try builder.object("encrypt-messages-row")
        control = try builder.object("encrypt-messages")
        progressRow = try builder.object("encrypt-messages-progress-row")
        bar = try builder.object("encrypt-messages-progress")
        (self.protection, self.passcode) = (protection, passcode)
        Signal.connect(row, "destroy") { [weak self] in self?.isDestroyed = true }
        Signal.connectNotify(control, "notify::active") { [weak self] in self?.switched() }
        group.isVisible = true
        protection.observe(by: self) { [weak self] in self?.show() }
        passcode.observe(by: self) { [weak self] in self?.show() }
    }

    private func switched() {
        guard !isShowing else { return }
        let isOn = gtk_switch_get_active(control.cast()) != 0
        Task { [protection] in
            await protection.set(isOn: isOn)
            if let failure = protection.failure { announce(failure.text) }
        }
    }

    private func announce(_ text: String) {
        if !isDestroyed { (row.cast() as Widget).announce(text) }
    }

    private func show() {
        guard !isDestroyed else { return }
        let (isOn, isPossible, percent) = shown
        isShowing = true
        gtk_switch_set_active(control.cast(), isOn ? 1 : 0)
        isShowing = false
        gtk_widget_set_sensitive(row.cast(), isPossible ? 1 : 0)
        progressRow.isVisible = percent != nil
        gtk_progress_bar_set_fraction(bar.cast(), Double(percent ?? 0) / 100)
        hdy_action_row_set_subtitle(row, text)
        control.setAccessible(description: text)
    }

    private var shown: (isOn: Bool, isPossible: Bool, percent: Int?) {
        switch protection.state {
        case .unknown: (false, false, nil)
        case .off: (false, passcode.isSet, nil)
        case .on: (true, true, nil)
        case .changing(let isOn, let percent): (isOn, false, percent)
        }
    }

    private var text: String {
        if let failure = protection.failure { return failure.text }
        switch protection.state {
        case .unknown: return localized("The messages have not been opened yet.")
        case .off where !passcode.isSet: return localized("Set a passcode first.")
        case .off:
            return localized("Also your calls and contacts, with a key that only your keyring has")
        case .on:
            return localized(
                "The key is in your keyring. Without it, nobody can read them any more, not even you.")
        case .changing(true, _): return localized("Encrypting. Messages that come meanwhile wait.")
        case .changing(false, _): return localized("Decrypting. Messages that come meanwhile wait.")
        }
    }
}

extension StoreProtectionFailure {
    /// Says why nothing has changed.
    fileprivate var text: String {
        switch self {
        case .key(.noLibrary):
            localized("This needs SQLCipher 4.5 or later, which Debian has from version 13 on.")
        case .key(.noKeyring): localized("There is no keyring that could keep the key.")
        case .key(.keyringRefused(let reason)):
            localized(
                "The keyring did not take the key: {reason}. Solve the problem, then try again.",
                ["reason": reason])
        case .store(.full): localized("The disk is full. Free some space, then try again.")
        case .store(.failed(let reason)):
            localized(
                "This could not be changed: {reason}. Solve the problem, then try again.", ["reason": reason])
        case .key, .store: localized("This could not be changed.")
        }
    }
}
