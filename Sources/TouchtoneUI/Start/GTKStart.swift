// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The start of GTK, without what the window’s first frame does not need; docs/start.md says what each part saves.
@MainActor
public enum GTKStart {
    private static let glVariable = "GDK_GL"

    /// Starts GTK before the program has threads, as it changes the environment; false without a display.
    public static func run(_ resources: Resources?) -> Bool {
        if let resources { FirstFrameTheme.load(resources) }
        // GDK would load OpenGL, for windows that draw with it. The phone has none.
        let isGLUnset = g_getenv(glVariable) == nil
        if isGLUnset { g_setenv(glVariable, "disable", 1) }
        // Pango then reads the configuration of the fonts in a thread. GTK would ask for it later, and wait.
        _ = pango_cairo_font_map_get_default()
        let hasDisplay = gtk_init_check(nil, nil) != 0
        if isGLUnset { cgtk_remove_from_environment(glVariable) }
        // The class of X windows, by which desktops find the desktop entry.
        gdk_set_program_class(Resources.applicationID)
        FirstFrameTheme.begin(hasDisplay: hasDisplay)
        return hasDisplay
    }
}
