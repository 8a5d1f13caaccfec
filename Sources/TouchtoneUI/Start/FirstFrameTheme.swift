// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The small theme that the window’s first frame is drawn with, in place of GTK’s own.
///
/// GTK parses its theme before it shows anything: 170 kB of CSS, mostly for menus, dialogs and rows that are opened
/// later. The small theme has the rules that the window needs, with the same values, so that nothing moves when GTK’s
/// theme replaces it.
@MainActor
enum FirstFrameTheme {
    /// The small theme while it is loaded, which GTK finds by the name of its folder.
    private static var resource: OpaquePointer?

    private static let variable = "GTK_THEME"
    private static let name = "touchtone-first-frame"

    /// Makes GTK start with the small theme in place of the light Adwaita, unless `GTK_THEME` is set.
    static func load(_ resources: Resources) {
        guard g_getenv(variable).map({ $0.pointee == 0 }) ?? true,
            // Without the file, GTK’s own theme is loaded as usual.
            let file = g_resource_load(resources.firstFrameTheme, nil)
        else { return }
        g_resources_register(file)
        g_setenv(variable, name, 1)
        resource = file
    }

    /// Replaces the small theme at once if the user has chosen another theme, when GTK has started.
    static func begin(hasDisplay: Bool) {
        guard resource != nil else { return }
        // GTK loads its theme with its settings.
        let settings = hasDisplay ? gtk_settings_get_default() : nil
        // It reads the variable again each time, and programs that the phone starts would get it.
        cgtk_remove_from_environment(variable)
        if let settings, !ThemeChoice(of: settings).isAdwaita { replace() }
    }

    /// Whether the small theme is loaded, because nothing has been shown yet.
    static var isInUse: Bool { resource != nil }

    /// Loads GTK’s and libhandy’s themes and the icon theme, unless they are loaded.
    static func end() {
        FirstFrameIcons.end()
        replace()
        hdy_init()
    }

    private static func replace() {
        guard let file = resource else { return }
        resource = nil
        // This loads the theme again, also if the name is the same.
        gtk_settings_reset_property(gtk_settings_get_default(), ThemeChoice.themeName)
        g_resources_unregister(file)
        g_resource_unref(file)
    }
}
