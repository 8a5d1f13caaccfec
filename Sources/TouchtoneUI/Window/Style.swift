// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge

/// The phone's look: one style sheet, and a palette that goes with the room.
@MainActor
package final class Style {
    private let resources: Resources
    private let room = StyleManager()
    private let palette = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))
    private let sheet = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))

    /// Puts the look on every window of the screen for as long as the style is kept, and follows the desktop's preferences for a dark room and for
    /// high contrast.
    ///
    /// - Throws: `GLibError` where a sheet is missing or broken.
    package init(resources: Resources) throws(GLibError) {
        self.resources = resources
        try GLibError.check {
            gtk_css_provider_load_from_path(sheet.cast(), resources.style("touchtone"), $0)
        }
        try loadPalette()
        guard let screen = gdk_screen_get_default() else {
            return
        }
        for provider in [palette, sheet] {
            gtk_style_context_add_provider_for_screen(
                screen, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        }
        // The palettes were read once already, or are missing now: then the one in use stays.
        room.onChange = { [weak self] in try? self?.loadPalette() }
    }

    // The screen would keep them, and match every widget against them, whoever else comes.
    isolated deinit {
        guard let screen = gdk_screen_get_default() else { return }
        for provider in [palette, sheet] {
            gtk_style_context_remove_provider_for_screen(screen, provider.opaque)
        }
    }

    /// Has GTK's own theme go with the room from now on, for windows that are made of ordinary rows and buttons.
    ///
    /// The theme is read anew where it is another one, which start-up should not pay for: the phone has all its colours
    /// from its palettes.
    func dressTheme() {
        room.dressTheme()
    }

    private func loadPalette() throws(GLibError) {
        let name = (room.isDark ? "charcoal" : "cream") + (room.isHighContrast ? "-contrast" : "")
        try GLibError.check {
            gtk_css_provider_load_from_path(palette.cast(), resources.style(name), $0)
        }
    }
}
