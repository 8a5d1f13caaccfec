// SPDX-License-Identifier: GPL-3.0-or-later

// The end of the accessibility bus, which ends with that of the session, of its readers, and of links in labels. The
// program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CGtkShims.h"

#include <dlfcn.h>

typedef struct DBusConnection DBusConnection;

void atspi_dbus_connection_setup_with_g_main(DBusConnection *connection, GMainContext *context);

// When the bus has ended, the library looks for another, and passes none to this function of its own, which ends the program
// (at-spi2-core 2.46).
void atspi_dbus_connection_setup_with_g_main(DBusConnection *connection, GMainContext *context) {
    static void (*original)(DBusConnection *, GMainContext *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "atspi_dbus_connection_setup_with_g_main");
    if (connection != NULL) original(connection, context);
}

static AtkKeySnoopFunc key_listener;
static gpointer key_listener_data;

static gint call_key_listener(AtkKeyEventStruct *event, gpointer unused) {
    return key_listener ? key_listener(event, key_listener_data) : FALSE;
}

// GTK 3 reads freed memory if a listener is removed while it is called. The library's only listener waits for the answer of
// screen readers, and is removed meanwhile when the last of them ends. So GTK keeps one listener for good.
guint atk_add_key_event_listener(AtkKeySnoopFunc listener, gpointer data) {
    static guint (*original)(AtkKeySnoopFunc, gpointer);
    static guint number;
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "atk_add_key_event_listener");
    key_listener = listener;
    key_listener_data = data;
    if (!number) number = original(call_key_listener, NULL);
    return number;
}

void atk_remove_key_event_listener(guint number) { key_listener = NULL; }

static void forget_handlers(GObject *object, const char *signal) {
    guint id = g_signal_lookup(signal, G_OBJECT_TYPE(object));
    gulong handler;
    while (id && (handler = g_signal_handler_find(object, G_SIGNAL_MATCH_ID, id, 0, NULL, NULL, NULL)))
        g_signal_handler_disconnect(object, handler);
}

/// Keeps the library's cache, instead of freeing it: each object in it would call it at its own end, because newer versions
/// do not take back their weak references to them (2.56). Nobody listens to it any more.
static void keep_cache(GObject *cache) {
    g_object_ref(cache);
    forget_handlers(cache, "object-added");
    forget_handlers(cache, "object-removed");
}

void cgtk_end_accessibility(void) {
    void (*clean_up)(void) = NULL;
    *(void **)&clean_up = dlsym(RTLD_DEFAULT, "atk_bridge_adaptor_cleanup");
    // These versions tell their number; those before them free the cache as they should.
    GType type = dlsym(RTLD_DEFAULT, "atspi_get_version") ? g_type_from_name("SpiCache") : 0;
    GObjectClass *cache = type ? g_type_class_peek(type) : NULL;
    if (cache) cache->dispose = keep_cache;
    if (clean_up != NULL) clean_up();
}

static AtkStateSet *(*ref_states_of_link)(AtkObject *);

static AtkStateSet *ref_states_unless_gone(AtkObject *link) {
    AtkObject *label = atk_object_get_parent(link);
    if (label != NULL && gtk_accessible_get_widget(GTK_ACCESSIBLE(label)) != NULL) return ref_states_of_link(link);
    AtkStateSet *states = atk_state_set_new();
    atk_state_set_add_state(states, ATK_STATE_DEFUNCT);
    return states;
}

void cgtk_guard_links(AtkObject *label) {
    AtkObject *link = ref_states_of_link ? NULL : atk_object_ref_accessible_child(label, 0);
    if (link == NULL) return;
    AtkObjectClass *class = g_type_class_ref(G_OBJECT_TYPE(link));
    ref_states_of_link = class->ref_state_set;
    class->ref_state_set = ref_states_unless_gone;
    g_object_unref(link);
}
