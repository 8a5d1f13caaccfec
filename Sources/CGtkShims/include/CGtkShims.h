// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot import of GLib and GTK: macros, variadic functions and private exports. One thing each.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/// The eventfd that becomes readable when libdispatch's main queue has work. It belongs to libdispatch.
int cgtk_main_queue_fd(void);

/// Runs what waits in libdispatch's main queue, on the calling thread, which must be the main one.
void cgtk_main_queue_drain(void);

/// Whether Swift's tasks that are bound to no actor run in libdispatch's main queue, too, in place of its pool of threads.
void cgtk_keep_tasks_on_main_queue(gboolean is_on);

/// A timer that is readable once after `milliseconds` (a timerfd of CLOCK_BOOTTIME), or -1 with errno set. The caller closes it.
/// Swift's Glibc module has no <sys/timerfd.h>.
int cgtk_boot_timer(gint64 milliseconds);

/// Whether `instance` is of `type` or of one derived from it: G_TYPE_CHECK_INSTANCE_TYPE.
gboolean cgtk_instance_is_a(gconstpointer instance, GType type);

/// Gives the widget a name and, where it is not NULL, a description for assistive tools.
void cgtk_widget_set_accessible(GtkWidget *widget, const char *name, const char *description);

/// The value of a setting of GTK's that is a text, to be freed; NULL where it is unset. g_object_get is variadic.
char *cgtk_settings_text(GtkSettings *settings, const char *property);

/// The value of a setting of GTK's that is a boolean.
gboolean cgtk_settings_flag(GtkSettings *settings, const char *property);

/// Sets a boolean setting of GTK's for this program. g_object_set is variadic.
void cgtk_settings_set_flag(GtkSettings *settings, const char *property, gboolean flag);

/// Sets a setting of GTK's that is a text for this program.
void cgtk_settings_set_text(GtkSettings *settings, const char *property, const char *text);

/// How many bytes have a bit for each key of a keyboard.
#define CGTK_KEY_BYTES 32

/// Sets the bits of the keys that are down, by their hardware codes; FALSE where the display is none of X. Asks the server.
gboolean cgtk_keys_down(GdkDisplay *display, guint8 *keys);

G_END_DECLS
