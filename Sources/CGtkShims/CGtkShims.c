// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CGtkShims.h"

#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

#include <dlfcn.h>

gboolean cgtk_instance_is_a(gconstpointer instance, GType type) {
    return G_TYPE_CHECK_INSTANCE_TYPE(instance, type);
}

void cgtk_widget_set_accessible(GtkWidget *widget, const char *name, const char *description) {
    AtkObject *accessible = gtk_widget_get_accessible(widget);
    if (name) atk_object_set_name(accessible, name);
    if (description) atk_object_set_description(accessible, description);
}

gboolean cgtk_accessible_announce(AtkObject *accessible, const char *text) {
    if (!g_signal_lookup("notification", ATK_TYPE_OBJECT)) return FALSE;
    const int polite = 1;  // ATK_LIVE_POLITE, which older headers lack.
    g_signal_emit_by_name(accessible, "notification", text, polite);
    return TRUE;
}

char *cgtk_settings_text(GtkSettings *settings, const char *property) {
    char *text = NULL;
    g_object_get(settings, property, &text, NULL);
    return text;
}

gboolean cgtk_settings_flag(GtkSettings *settings, const char *property) {
    gboolean flag = FALSE;
    g_object_get(settings, property, &flag, NULL);
    return flag;
}

void cgtk_settings_set_flag(GtkSettings *settings, const char *property, gboolean flag) {
    g_object_set(settings, property, flag, NULL);
}

void cgtk_settings_set_text(GtkSettings *settings, const char *property, const char *text) {
    g_object_set(settings, property, text, NULL);
}

gboolean cgtk_keys_down(GdkDisplay *display, guint8 *keys) {
#ifdef GDK_WINDOWING_X11
    // GDK has loaded libX11 if its display is an X display, so it need not be linked.
    typedef int query_keymap(Display *, char *);
    query_keymap *query = (query_keymap *)dlsym(RTLD_DEFAULT, "XQueryKeymap");
    if (!query || !GDK_IS_X11_DISPLAY(display)) return FALSE;
    query(GDK_DISPLAY_XDISPLAY(display), (char *)keys);
    return TRUE;
#else
    (void)display;
    (void)keys;
    return FALSE;
#endif
}
