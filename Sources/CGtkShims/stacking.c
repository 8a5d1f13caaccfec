// SPDX-License-Identifier: GPL-3.0-or-later

// libhandy's leaflet and deck move their windows to where they are, and raise them, whenever anything in them is laid out
// again, which each new text on the display causes. GDK then draws everything in them again: the whole phone, for some
// letters. The program's own functions take precedence over a library's (ld.so(8)); these leave out what has no effect.

#define _GNU_SOURCE
#include "CGtkShims.h"

#include <dlfcn.h>

// Only windows that GDK draws itself: others belong to the X server or the compositor.
static gboolean is_child(GdkWindow *window) {
    return gdk_window_get_window_type(window) == GDK_WINDOW_CHILD && !gdk_window_has_native(window);
}

static GdkRectangle place_of(GdkWindow *window) {
    GdkRectangle place = {.width = gdk_window_get_width(window), .height = gdk_window_get_height(window)};
    gdk_window_get_position(window, &place.x, &place.y);
    return place;
}

void gdk_window_move_resize(GdkWindow *window, gint x, gint y, gint width, gint height) {
    static void (*original)(GdkWindow *, gint, gint, gint, gint);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "gdk_window_move_resize");
    GdkRectangle place = {x, y, MAX(width, 1), MAX(height, 1)};
    if (is_child(window)) {
        GdkRectangle present = place_of(window);
        if (gdk_rectangle_equal(&place, &present)) return;
    }
    original(window, x, y, width, height);
}

// Whether a window covers a part of another. GDK has no empty windows: one of a single point stands for it.
static gboolean covers(GdkWindow *above, GdkWindow *window) {
    GdkRectangle first = place_of(above), second = place_of(window);
    return gdk_window_is_visible(above) && (first.width > 1 || first.height > 1)
           && gdk_rectangle_intersect(&first, &second, NULL);
}

void gdk_window_raise(GdkWindow *window) {
    static void (*original)(GdkWindow *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "gdk_window_raise");
    GdkWindow *parent = gdk_window_get_parent(window);
    if (!parent || !is_child(window)) return original(window);
    // The highest window is the first.
    for (GList *other = gdk_window_peek_children(parent); other && other->data != window; other = other->next)
        if (covers(other->data, window)) return original(window);
}
