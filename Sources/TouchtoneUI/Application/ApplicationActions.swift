// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions of the app, which it exports on the session bus (`org.gtk.Actions`).
extension PhoneApplication {
    static let machineAction = "answering-machine"

    func addActions() {
        let actions = ActionMap(application.object)
        actions.add("enter", text: { [weak self] text in self?.whenOpen { $0.paste(text) } })
        actions.add("dial") { [weak self] in self?.dependencies?.phone.dial() }
        // These actions stay enabled while the phone is locked, so that calls can still be answered and ended.
        actions.add("hang-up") { [weak self] in self?.dependencies?.phone.hangUp() }
        actions.add("answer") { [weak self] in self?.dependencies?.phone.answer() }
        actions.add("clear") { [weak self] in self?.dependencies?.phone.clear() }
        actions.add("lock") { [weak self] in self?.lock() }
        actions.add("preferences") { [weak self] in self?.showPreferences() }
        actions.add("preferences-page", text: { [weak self] in self?.showPreferences(page: $0) })
        actions.add("new-line-account") { [weak self] in
            self?.showPreferences(page: PreferencesPageName.lines.rawValue, startsAccount: true)
        }
        actions.add("about") { [weak self] in self?.showPreferences(page: PreferencesPageName.about.rawValue)
        }
        actions.add(DoNotDisturb.key, isOn: false) { [weak self] in self?.desktop?.setQuiet($0) }
        actions.add(Self.machineAction, isOn: false) { [weak self] in
            self?.dependencies?.directory.machine?.isOn = $0
        }
        actions.add("divert", isOn: false) { [weak self] in self?.setDiverting($0) }
        actions.add("quit") { [weak self] in self?.quit() }
    }

    /// Enables or disables the actions that are not available while the phone is locked.
    func setActionsEnabled(_ isOpen: Bool) {
        for name in [
            "dial", "clear", "about", "preferences", "preferences-page", "new-line-account", DoNotDisturb.key,
            Self.machineAction,
        ] {
            ActionMap(application.object).setEnabled(name, isOpen)
        }
        showDiversion(isOpen: isOpen)
    }

    func setShortcuts() {
        for (action, shortcut) in Shortcuts.table {
            shortcut.withCString { text in
                var list: [UnsafePointer<CChar>?] = [text, nil]
                gtk_application_set_accels_for_action(application.cast(), action, &list)
            }
        }
    }

    /// Diverts calls, or asks where to if no account says so.
    private func setDiverting(_ isOn: Bool) {
        guard let accounts = dependencies?.accounts else { return }
        guard !isOn || accounts.canDivert else {
            return showPreferences(page: PreferencesPageName.lines.rawValue)
        }
        accounts.setDiverting(isOn)
    }

    /// Shows whether calls are diverted; the menu has the action while there is an account.
    func followDiversion() {
        dependencies?.accounts?.observe(by: self) { [weak self] in
            if let self { showDiversion(isOpen: dependencies?.lock.isLocked == false) }
        }
    }

    private func showDiversion(isOpen: Bool) {
        let (actions, accounts) = (ActionMap(application.object), dependencies?.accounts)
        actions.setOn("divert", accounts?.isDiverting == true)
        actions.setEnabled("divert", isOpen && accounts?.accounts.isEmpty == false)
    }

    /// Locks the phone, or opens the Lock page of Preferences if no passcode is set.
    private func lock() {
        guard let dependencies, !dependencies.lock.lock() else { return }
        dependencies.phone.passcodeMissing()
        showPreferences(page: PreferencesPageName.lock.rawValue)
    }
}
