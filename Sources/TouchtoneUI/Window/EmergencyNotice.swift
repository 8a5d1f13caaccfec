// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A notice, shown once as soon as there is a SIP account, about what emergency calls over it need.
///
/// It is a toast in the panel: it covers no key of the phone, takes no focus, and so delays no call.
@MainActor
final class EmergencyNotice {
    /// The setting that remembers that the notice was shown.
    static let setting = "emergency-notice-shown"
    /// The notice, which is also in Preferences.
    static var text: String {
        localized(
            "Calls over SIP need power and a working network, and do not tell emergency services where you are."
        )
    }

    private let toast: Toast
    private let lines: LineRegistry
    private let settings: Settings

    init(_ toast: Toast, _ dependencies: PhoneDependencies) {
        (self.toast, lines, settings) = (toast, dependencies.lines, dependencies.settings)
    }

    func show(isInView: Bool) {
        guard isInView, !lines.accounts.isEmpty, settings.has(Self.setting), !settings[flag: Self.setting]
        else { return }
        settings[flag: Self.setting] = true
        toast.show(Self.text)
    }
}
