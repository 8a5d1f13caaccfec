// SPDX-License-Identifier: GPL-3.0-or-later

/// The name of a GTK theme, and whether its dark variant is preferred.
@MainActor
package struct ThemeChoice {
    package static let darkForm = "gtk-application-prefer-dark-theme"
    package static let themeName = "gtk-theme-name"

    package var name = ""
    package var isDark = false

    /// Whether this is the light variant of GTK’s own theme.
    package var isAdwaita: Bool { name == "Adwaita" && !isDark }

    package init(of settings: UnsafeMutablePointer<GtkSettings>) {
        isDark = cgtk_settings_flag(settings, Self.darkForm) != 0
        name = settings.text(Self.themeName)
    }

    package init() {}

    /// The theme in `GTK_THEME`, such as `Adwaita:dark`, which GTK shows in place of that of the settings; nil if unset.
    package static var demanded: ThemeChoice? {
        guard let text = g_getenv("GTK_THEME").map({ String(cString: $0) }), !text.isEmpty else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1)
        var choice = ThemeChoice()
        choice.name = parts.first.map(String.init) ?? ""
        choice.isDark = parts.count > 1 && parts[1] == "dark"
        return choice
    }
}

extension UnsafeMutablePointer<GtkSettings> {
    /// Returns a text property, or an empty text if it is unset.
    package func text(_ property: String) -> String {
        guard let text = cgtk_settings_text(self, property) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Overrides a property for this app, or resets it if the desktop has the same value.
    package func set(_ property: String, _ value: Bool, unless desktop: Bool) {
        if value == desktop {
            gtk_settings_reset_property(self, property)
        } else {
            cgtk_settings_set_flag(self, property, value ? 1 : 0)
        }
    }

    package func set(_ property: String, _ value: String, unless desktop: String) {
        if value == desktop {
            gtk_settings_reset_property(self, property)
        } else {
            cgtk_settings_set_text(self, property, value)
        }
    }
}
