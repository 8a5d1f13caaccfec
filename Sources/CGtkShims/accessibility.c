// SPDX-License-Identifier: GPL-3.0-or-later

// The end of the accessibility bus, which ends with that of the session. The accessibility library then looks for another bus,
// and passes none to a function of its own, which ends the program (at-spi2-core 2.46). The program's own functions take
// precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CGtkShims.h"

#include <dlfcn.h>

typedef struct DBusConnection DBusConnection;

void atspi_dbus_connection_setup_with_g_main(DBusConnection *connection, GMainContext *context);

void atspi_dbus_connection_setup_with_g_main(DBusConnection *connection, GMainContext *context) {
    static void (*original)(DBusConnection *, GMainContext *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "atspi_dbus_connection_setup_with_g_main");
    if (connection != NULL) original(connection, context);
}

void cgtk_end_accessibility(void) {
    void (*clean_up)(void) = NULL;
    *(void **)&clean_up = dlsym(RTLD_DEFAULT, "atk_bridge_adaptor_cleanup");
    if (clean_up != NULL) clean_up();
}
