// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The phone's look: one style sheet, and a palette that goes with the room.
@MainActor
final class Style {
    private let resources: Resources
    private let palette = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))

    /// Puts the look on every window of the screen, and follows the desktop's preferences for a dark room and for
    /// high contrast.
    ///
    /// - Throws: `GLibError` where a sheet is missing or broken.
    init(resources: Resources) throws(GLibError) {
        self.resources = resources
        let manager = hdy_style_manager_get_default()
        // Unless it is told so, the manager takes the program for one that knows no dark.
        hdy_style_manager_set_color_scheme(manager, HDY_COLOR_SCHEME_PREFER_LIGHT)
        let sheet = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))
        try GLibError.check {
            gtk_css_provider_load_from_path(sheet.cast(), resources.style("touchtone"), $0)
        }
        try loadPalette()
        guard let screen = gdk_screen_get_default(), let manager else {
            return
        }
        for provider in [palette, sheet] {
            gtk_style_context_add_provider_for_screen(
                screen, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        }
        for property in ["dark", "high-contrast"] {
            Signal.connectNotify(UnsafeMutableRawPointer(manager), "notify::\(property)") { [weak self] in
                // The palettes were read once already, or are missing now: then the one in use stays.
                try? self?.loadPalette()
            }
        }
    }

    private func loadPalette() throws(GLibError) {
        let manager = hdy_style_manager_get_default()
        let isDark = hdy_style_manager_get_dark(manager) != 0
        let isHighContrast = hdy_style_manager_get_high_contrast(manager) != 0
        let name = (isDark ? "charcoal" : "cream") + (isHighContrast ? "-contrast" : "")
        try GLibError.check {
            gtk_css_provider_load_from_path(palette.cast(), resources.style(name), $0)
        }
    }
}
