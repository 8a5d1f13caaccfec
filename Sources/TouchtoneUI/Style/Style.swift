// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge

/// The phone's appearance: a style sheet, and a palette for the desktop's colour scheme and contrast.
@MainActor
package final class Style {
    private let resources: Resources
    private let manager = StyleManager()
    private let palette = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))
    private let sheet = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))
    private var isComplete: Bool

    /// Applies the style to the screen while this object exists, and follows dark style and high contrast.
    ///
    /// - Parameter isComplete: Whether all rules are loaded, or those of the first frame until `dressTheme()`.
    package init(resources: Resources, isComplete: Bool = true) throws(GLibError) {
        (self.resources, self.isComplete) = (resources, isComplete)
        try loadSheet(isComplete ? "touchtone" : "window")
        try loadPalette()
        guard let screen = gdk_screen_get_default() else { return }
        for provider in [palette, sheet] {
            gtk_style_context_add_provider_for_screen(
                screen, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        }
        // If the palette cannot be loaded, keep the current one.
        manager.onChange = { [weak self] in try? self?.loadPalette() }
    }

    // Otherwise the screen would retain the providers and match every widget against them, also those of a new style.
    isolated deinit {
        guard let screen = gdk_screen_get_default() else { return }
        for provider in [palette, sheet] {
            gtk_style_context_remove_provider_for_screen(screen, provider.opaque)
        }
    }

    /// Loads the rules of what is shown after the first frame, and GTK's own theme for standard windows.
    ///
    /// Parsing all that would slow down start-up; the phone itself takes all its colours from its palettes.
    func dressTheme() throws(GLibError) {
        try complete()
        FirstFrameTheme.end()
        manager.dressTheme()
    }

    private func complete() throws(GLibError) {
        guard !isComplete else { return }
        isComplete = true
        try loadSheet("touchtone")
    }

    private func loadSheet(_ name: String) throws(GLibError) {
        try GLibError.check { gtk_css_provider_load_from_path(sheet.cast(), resources.style(name), $0) }
    }

    private func loadPalette() throws(GLibError) {
        let name = (manager.isDark ? "charcoal" : "cream") + (manager.isHighContrast ? "-contrast" : "")
        try GLibError.check {
            gtk_css_provider_load_from_path(palette.cast(), resources.style(name), $0)
        }
    }
}
