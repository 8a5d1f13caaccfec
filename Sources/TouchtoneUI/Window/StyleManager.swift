// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// What the desktop says of the room that it is in: dark or light, and how strong contrasts are to be.
///
/// libhandy has the same, but has GTK read its theme twice more at each start, which is a third of the time that the
/// window takes to come.
@MainActor
final class StyleManager {
    private(set) var isDark = false
    private(set) var isHighContrast = false
    /// Called when one of them has changed.
    var onChange: (@MainActor () -> Void)?

    private var prefersDark = false
    private var asksForContrast: Set<String> = []
    private var portal: PortalSettings?
    private let theme = gtk_settings_get_default()
    /// What the desktop chose, as it was before anything was lent.
    private var desktop = ThemeChoice()
    /// What the theme was given to go with the room, once it was.
    private var lent: ThemeChoice?
    private var isDressing = false

    private static let appearance = "org.freedesktop.appearance"
    private static let accessibility = "org.gnome.desktop.a11y.interface"

    init() {
        // GNOME's preference can be read at once, so that the first frame has it; the portal has everyone's, later.
        if let desktop = try? Settings(schema: "org.gnome.desktop.interface"), desktop.has("color-scheme") {
            prefersDark = desktop[text: "color-scheme"] == "prefer-dark"
        }
        if let theme { desktop = ThemeChoice(of: theme) }
        for property in [ThemeChoice.themeName, ThemeChoice.darkForm] {
            guard let theme else { continue }
            Signal.connectNotify(theme, "notify::\(property)") { [weak self] in self?.themeChanged() }
        }
        update()
        portal = PortalSettings(namespaces: [Self.appearance, Self.accessibility]) { [weak self] in
            self?.take($0)
        }
    }

    private func take(_ value: PortalSettings.Value) {
        switch (value.namespace, value.key) {
        case (Self.appearance, "color-scheme"): prefersDark = value.number == 1
        case (Self.appearance, "contrast"), (Self.accessibility, "high-contrast"):
            if value.number == 1 {
                asksForContrast.insert(value.key)
            } else {
                asksForContrast.remove(value.key)
            }
        default: return
        }
        update()
    }

    /// The theme is another one by the desktop's will.
    private func themeChanged() {
        guard !isDressing, let theme else { return }
        let found = ThemeChoice(of: theme)
        if lent == nil {
            desktop = found
        } else {
            // What was lent hides the desktop's wish for a dark form, but not another name.
            desktop.name = found.name
            lent?.name = found.name
        }
        update()
    }

    private func update() {
        let before = (isDark, isHighContrast)
        let name = desktop.name
        isDark = prefersDark || desktop.isDark || name.hasSuffix("-dark") || name == "HighContrastInverse"
        isHighContrast = !asksForContrast.isEmpty || name.hasPrefix("HighContrast")
        if lent != nil { dressTheme() }
        if (isDark, isHighContrast) != before { onChange?() }
    }

    /// Has GTK's theme be dark, and of high contrast, as the room is, from now on.
    func dressTheme() {
        guard let theme else { return }
        var wanted = desktop
        if isHighContrast {
            wanted.name = isDark ? "HighContrastInverse" : "HighContrast"
        } else {
            wanted.isDark = isDark
        }
        let worn = lent ?? desktop
        lent = wanted
        isDressing = true
        defer { isDressing = false }
        // GTK reads its theme anew each time that something is set.
        if wanted.isDark != worn.isDark {
            theme.set(ThemeChoice.darkForm, wanted.isDark, unless: desktop.isDark)
        }
        if wanted.name != worn.name { theme.set(ThemeChoice.themeName, wanted.name, unless: desktop.name) }
    }
}

/// A theme of GTK's, and whether its dark form is asked for.
@MainActor
private struct ThemeChoice {
    static let darkForm = "gtk-application-prefer-dark-theme"
    static let themeName = "gtk-theme-name"

    var name = ""
    var isDark = false

    init(of settings: UnsafeMutablePointer<GtkSettings>) {
        isDark = cgtk_settings_flag(settings, Self.darkForm) != 0
        guard let text = cgtk_settings_text(settings, Self.themeName) else { return }
        defer { g_free(text) }
        name = String(cString: text)
    }

    init() {}
}

extension UnsafeMutablePointer<GtkSettings> {
    /// Sets a property for this program, or leaves it to the desktop again where that has it so.
    fileprivate func set(_ property: String, _ value: Bool, unless desktop: Bool) {
        if value == desktop {
            gtk_settings_reset_property(self, property)
        } else {
            cgtk_settings_set_flag(self, property, value ? 1 : 0)
        }
    }

    fileprivate func set(_ property: String, _ value: String, unless desktop: String) {
        if value == desktop {
            gtk_settings_reset_property(self, property)
        } else {
            cgtk_settings_set_text(self, property, value)
        }
    }
}
