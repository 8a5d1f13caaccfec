// SPDX-License-Identifier: GPL-3.0-or-later
// Wrappers for what Swift cannot import from GTK: macros and variadic functions.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/// Returns whether `instance` is of `type` or a derived type: G_TYPE_CHECK_INSTANCE_TYPE.
gboolean cgtk_instance_is_a(gconstpointer instance, GType type);

/// Sets the accessible name and description of a widget. NULL leaves one unchanged.
void cgtk_widget_set_accessible(GtkWidget *widget, const char *name, const char *description);

/// Lets a screen reader speak a text, and returns whether it can (ATK 2.50). g_signal_emit_by_name is variadic.
gboolean cgtk_accessible_announce(AtkObject *accessible, const char *text);

/// Returns a text property of GtkSettings, which the caller frees, or NULL if it is unset. g_object_get is variadic.
char *cgtk_settings_text(GtkSettings *settings, const char *property);

/// Returns a boolean property of GtkSettings.
gboolean cgtk_settings_flag(GtkSettings *settings, const char *property);

/// Sets a boolean property of GtkSettings for this program. g_object_set is variadic.
void cgtk_settings_set_flag(GtkSettings *settings, const char *property, gboolean flag);

/// Sets a text property of GtkSettings for this program.
void cgtk_settings_set_text(GtkSettings *settings, const char *property, const char *text);

/// The size in bytes of a bit field with a bit for each key of a keyboard.
#define CGTK_KEY_BYTES 32

/// Asks the server of an X window to report the pressed keys whenever a window of the program gains the focus. The window
/// must be realized. Has no effect elsewhere.
void cgtk_track_keys(GdkWindow *window);

/// Sets the bits of the keys that were pressed when a window last gained the focus, by hardware key code, and forgets them.
void cgtk_take_keys_at_focus(guint8 *keys);

/// Returns the name of the X window manager, or NULL if the screen is not an X screen. The macros that tell X screens
/// are in the header of X11.
const char *cgtk_window_manager(GdkScreen *screen);

/// Sets the app id of a Wayland window, which must be mapped. Has no effect elsewhere.
void cgtk_set_wayland_app_id(GdkWindow *window, const char *id);

/// Ends the accessibility of the program's windows, which would look for a new bus at each change once the session's has
/// ended. libatk-bridge has no header in the packages that GTK needs.
void cgtk_end_accessibility(void);

/// Lets links that a screen reader has kept tell that they are gone once their label shows another text: GTK 3 asks the label
/// that they no longer have for their states, with critical warnings. Needs a label with a link, once.
void cgtk_guard_links(AtkObject *label);

/// Removes a variable from the environment. Other threads may be reading it: g_unsetenv would move the entries of the
/// array that they read, while this makes a new array and leaves the old one to them.
void cgtk_remove_from_environment(const char *name);

G_END_DECLS
