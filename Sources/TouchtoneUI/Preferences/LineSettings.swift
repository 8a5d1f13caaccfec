// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The settings of each line: its number format and prefix.
@MainActor
public enum LineSettings {
    /// - Parameter format: The number formatter, as for `DialRules.init`.
    public static func rules(
        _ settings: Settings, format: @escaping (String, DialRules.Form) -> String?
    ) -> DialRules {
        DialRules(prefix: settings[text: "prefix"], formNamed: settings[text: "form"], format: format)
    }

    static let keys = ["prefix", "form"]
}
