// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The small theme that the window’s first frame is drawn with, in place of GTK’s own.
///
/// GTK parses its theme before it shows anything: 170 kB of CSS, mostly for menus, dialogs and rows that are opened
/// later. The small theme has the rules that the window needs, with the same values, so that nothing moves when GTK’s
/// theme replaces it.
@MainActor
public enum FirstFrameTheme {
    /// The small theme while it is loaded, which GTK finds by the name of its folder.
    private static var resource: OpaquePointer?

    private static let variable = "GTK_THEME"
    private static let glVariable = "GDK_GL"
    private static let name = "touchtone-first-frame"

    /// Starts GTK, with the small theme if GTK would load the light Adwaita, which it looks like.
    ///
    /// A theme that the user sets with `GTK_THEME` is kept. Call this before the program has other threads, as it
    /// changes the environment.
    ///
    /// - Returns: False if no display can be opened.
    public static func startGTK(_ resources: Resources?) -> Bool {
        if !isChosenByUser, let resources { load(resources) }
        // GDK would load OpenGL, for windows that draw with it. The phone has none.
        let isGLUnset = g_getenv(glVariable) == nil
        if isGLUnset { g_setenv(glVariable, "disable", 1) }
        // Pango then reads the configuration of the fonts in a thread. GTK would ask for it later, and wait.
        _ = pango_cairo_font_map_get_default()
        // Another thread connects to the bus meanwhile. The app, which registers there, would wait for it.
        DBusConnection.prepareSession()
        let hasDisplay = gtk_init_check(nil, nil) != 0
        if isGLUnset { cgtk_remove_from_environment(glVariable) }
        if hasDisplay { cgtk_intern_window_atoms(gdk_display_get_default()) }
        // The class of X windows, by which desktops find the desktop entry.
        gdk_set_program_class(Resources.applicationID)
        if resource != nil {
            // GTK loads its theme with its settings.
            let settings = hasDisplay ? gtk_settings_get_default() : nil
            // It reads the variable again each time, and programs that the phone starts would get it.
            cgtk_remove_from_environment(variable)
            if let settings, !ThemeChoice(of: settings).isAdwaita { replace() }
        }
        return hasDisplay
    }

    /// Whether the small theme is loaded, because nothing has been shown yet.
    static var isInUse: Bool { resource != nil }

    /// Loads GTK’s and libhandy’s themes and the icon theme, unless they are loaded.
    static func end() {
        FirstFrameIcons.end()
        replace()
        hdy_init()
    }

    private static var isChosenByUser: Bool {
        g_getenv(variable).map { $0.pointee != 0 } ?? false
    }

    private static func load(_ resources: Resources) {
        // Without the file, GTK’s own theme is loaded as usual.
        guard let file = g_resource_load(resources.firstFrameTheme, nil) else { return }
        g_resources_register(file)
        g_setenv(variable, name, 1)
        resource = file
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
