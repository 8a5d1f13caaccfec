// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The desktop's preferences for dark style and high contrast.
///
/// libhandy's `HdyStyleManager` provides the same, but makes GTK load its theme two more times at each start, which
/// takes a third of the time until the window appears.
@MainActor
final class StyleManager {
    private(set) var isDark = false
    private(set) var isHighContrast = false
    var onChange: (@MainActor () -> Void)?

    private var prefersDark = false
    private var asksForContrast: Set<String> = []
    private var portal: PortalSettings?
    private let theme = gtk_settings_get_default()
    /// The theme that the desktop chose, without the overrides of this object.
    private var desktop = ThemeChoice()
    /// The theme that the user demands of this program, which comes before the desktop's.
    private let demanded = ThemeChoice.demanded
    /// The theme that overrides the desktop's, or nil before the first call of `dressTheme()`.
    private var applied: ThemeChoice?
    private var isApplying = false

    private static let appearance = "org.freedesktop.appearance"
    private static let accessibility = "org.gnome.desktop.a11y.interface"

    init() {
        // Read GNOME's setting synchronously, so that the first frame is right; the portal, which other desktops
        // support, answers later.
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

    private func themeChanged() {
        guard !isApplying, let theme else { return }
        let found = ThemeChoice(of: theme)
        if applied == nil {
            desktop = found
        } else {
            // The applied theme hides a change of the desktop's dark preference, but not of the theme's name.
            desktop.name = found.name
            applied?.name = found.name
        }
        update()
    }

    private func update() {
        let before = (isDark, isHighContrast)
        let (shown, name) = (demanded ?? desktop, (demanded ?? desktop).name)
        isDark =
            prefersDark && demanded == nil || shown.isDark || name.hasSuffix("-dark")
            || name == "HighContrastInverse"
        isHighContrast = !asksForContrast.isEmpty || name.hasPrefix("HighContrast")
        if applied != nil { dressTheme() }
        if (isDark, isHighContrast) != before { onChange?() }
    }

    /// Makes GTK's theme follow `isDark` and `isHighContrast` from now on.
    func dressTheme() {
        // GTK shows a theme from its environment whatever the settings are.
        guard let theme, demanded == nil else { return }
        var wanted = desktop
        if isHighContrast {
            wanted.name = isDark ? "HighContrastInverse" : "HighContrast"
        } else {
            wanted.isDark = isDark
        }
        let previous = applied ?? desktop
        applied = wanted
        isApplying = true
        defer { isApplying = false }
        // Set only what changed, because GTK reloads its theme on each assignment.
        if wanted.isDark != previous.isDark {
            theme.set(ThemeChoice.darkForm, wanted.isDark, unless: desktop.isDark)
        }
        if wanted.name != previous.name {
            theme.set(ThemeChoice.themeName, wanted.name, unless: desktop.name)
        }
    }
}
