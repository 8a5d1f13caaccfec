// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// Has calls sound by the tone plan that the setting `tone-plan` names.
@MainActor
public enum TonePlanSetting {
    /// Sets the plan now and at each change of the setting.
    ///
    /// In place of a plan that is not there, or cannot be read, the standard one is used; the status line says so once for
    /// each such change.
    public static func follow(_ settings: Settings, phone: Phone, resources: Resources) {
        settings.follow("tone-plan") { [weak settings, weak phone] in
            guard let settings, let phone else { return }
            let plan = resources.tonePlan(settings[text: "tone-plan"])
            phone.calls.tonePlan = plan ?? resources.standardTonePlan
            if plan == nil { phone.soundNotice(.tonePlanMissing) }
        }
    }
}
