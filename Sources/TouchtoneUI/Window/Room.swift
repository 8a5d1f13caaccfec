// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// What the desktop says of the room that it is in: dark or light, and how strong contrasts are to be.
///
/// libhandy has the same, but has GTK read its theme twice more at each start, which is a third of the time that the
/// window takes to come.
@MainActor
final class Room {
    private(set) var isDark = false
    private(set) var isHighContrast = false
    /// Called when one of them has changed.
    var onChange: (@MainActor () -> Void)?

    private var prefersDark = false
    private var asksForContrast: Set<String> = []
    private var portal: PortalSettings?
    private let theme = gtk_settings_get_default()

    private static let appearance = "org.freedesktop.appearance"
    private static let accessibility = "org.gnome.desktop.a11y.interface"

    init() {
        // GNOME's preference can be read at once, so that the first frame has it; the portal has everyone's, later.
        if let desktop = try? Settings(schema: "org.gnome.desktop.interface"), desktop.has("color-scheme") {
            prefersDark = desktop[text: "color-scheme"] == "prefer-dark"
        }
        for property in ["gtk-theme-name", "gtk-application-prefer-dark-theme"] {
            guard let theme else { continue }
            Signal.connectNotify(theme, "notify::\(property)") { [weak self] in self?.update() }
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

    private func update() {
        let before = (isDark, isHighContrast)
        let name = themeName
        let wantsDark =
            theme.map { cgtk_settings_flag($0, "gtk-application-prefer-dark-theme") != 0 } ?? false
        isDark = prefersDark || wantsDark || name.hasSuffix("-dark") || name == "HighContrastInverse"
        isHighContrast = !asksForContrast.isEmpty || name.hasPrefix("HighContrast")
        if (isDark, isHighContrast) != before { onChange?() }
    }

    private var themeName: String {
        guard let theme, let name = cgtk_settings_text(theme, "gtk-theme-name") else { return "" }
        defer { g_free(name) }
        return String(cString: name)
    }
}
