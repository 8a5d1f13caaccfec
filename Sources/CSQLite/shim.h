// SPDX-License-Identifier: GPL-3.0-or-later

#include <sqlite3.h>

// Swift does not import variadic functions. The function is that of a library, of which the program may use two.
static inline int csqlite_configure(void *function, sqlite3 *connection, int option, int value) {
    return ((int (*)(sqlite3 *, int, ...))function)(connection, option, value, (int *)0);
}
static inline void *csqlite_configuring_function(void) {
    return (void *)sqlite3_db_config;
}
