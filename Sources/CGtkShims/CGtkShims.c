// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CGtkShims.h"

#ifdef GDK_WINDOWING_WAYLAND
#include <gdk/gdkwayland.h>
#endif
#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

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

#ifdef GDK_WINDOWING_X11
static const int focus_in_of_extension = 9;  // XI_FocusIn

/// The pressed keys in the server's last report, and those in the report that belongs to the last focus event.
static guint8 reported[CGTK_KEY_BYTES], at_focus[CGTK_KEY_BYTES];
static gboolean awaits_report;

/// The server reports the keys with each focus event: before those of the input extension, after those of the core
/// protocol.
static GdkFilterReturn note_keys(GdkXEvent *event, GdkEvent *result, gpointer data) {
    (void)result;
    (void)data;
    const XEvent *x = (const XEvent *)event;
    if (x->type == KeymapNotify) {
        memcpy(reported, x->xkeymap.key_vector, sizeof reported);
        // Xlib leaves the first byte as it was: no key has a code below 8.
        reported[0] = 0;
        if (awaits_report) memcpy(at_focus, reported, sizeof at_focus);
        awaits_report = FALSE;
    } else if (x->type == FocusIn) {
        awaits_report = TRUE;
    } else if (x->type == GenericEvent && x->xcookie.evtype == focus_in_of_extension) {
        memcpy(at_focus, reported, sizeof at_focus);
    }
    return GDK_FILTER_CONTINUE;
}
#endif

void cgtk_track_keys(GdkWindow *window) {
#ifdef GDK_WINDOWING_X11
    // GDK has loaded libX11 if the window is an X window, so it need not be linked.
    typedef int get_attributes(Display *, Window, XWindowAttributes *);
    typedef int select_input(Display *, Window, long);
    get_attributes *get = (get_attributes *)dlsym(RTLD_DEFAULT, "XGetWindowAttributes");
    select_input *select = (select_input *)dlsym(RTLD_DEFAULT, "XSelectInput");
    XWindowAttributes attributes;
    if (!get || !select || !GDK_IS_X11_WINDOW(window)) return;
    if (!get(GDK_WINDOW_XDISPLAY(window), GDK_WINDOW_XID(window), &attributes)) return;
    select(GDK_WINDOW_XDISPLAY(window), GDK_WINDOW_XID(window), attributes.your_event_mask | KeymapStateMask);
    // The report names no window, so that a filter of the window would not see it.
    gdk_window_remove_filter(NULL, note_keys, NULL);
    gdk_window_add_filter(NULL, note_keys, NULL);
#else
    (void)window;
#endif
}

void cgtk_take_keys_at_focus(guint8 *keys) {
#ifdef GDK_WINDOWING_X11
    memcpy(keys, at_focus, CGTK_KEY_BYTES);
    // Without a new report, none of them counts as pressed at the next focus event.
    memset(at_focus, 0, sizeof at_focus);
    memset(reported, 0, sizeof reported);
#else
    memset(keys, 0, CGTK_KEY_BYTES);
#endif
}

const char *cgtk_window_manager(GdkScreen *screen) {
#ifdef GDK_WINDOWING_X11
    if (GDK_IS_X11_SCREEN(screen)) return gdk_x11_screen_get_window_manager_name(screen);
#else
    (void)screen;
#endif
    return NULL;
}

void cgtk_set_wayland_app_id(GdkWindow *window, const char *id) {
#if defined GDK_WINDOWING_WAYLAND && GTK_CHECK_VERSION(3, 24, 22)
    if (GDK_IS_WAYLAND_WINDOW(window)) gdk_wayland_window_set_application_id(window, id);
#else
    (void)window, (void)id;
#endif
}

void cgtk_remove_from_environment(const char *name) {
    char **before = environ;
    if (before == NULL) return;
    size_t count = 0, length = strlen(name), kept = 0;
    while (before[count] != NULL) count++;
    char **after = g_new(char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        gboolean is_it = strncmp(before[i], name, length) == 0 && before[i][length] == '=';
        if (!is_it) after[kept++] = before[i];
    }
    after[kept] = NULL;
    environ = after;
}
