// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// Applies the tone plan that the setting `tone-plan` names to calls.
@MainActor
public enum TonePlanSetting {
    /// Sets the plan now and at each change; the standard one, with a notice, if it is missing or invalid.
    public static func follow(_ settings: Settings, phone: Phone, resources: Resources) {
        settings.follow("tone-plan") { [weak settings, weak phone] in
            guard let settings, let phone else { return }
            let plan = resources.tonePlan(settings[text: "tone-plan"])
            phone.calls.tonePlan = plan ?? resources.standardTonePlan
            if plan == nil { phone.soundNotice(.tonePlanMissing) }
        }
    }
}
