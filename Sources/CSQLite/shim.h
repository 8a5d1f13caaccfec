// SPDX-License-Identifier: GPL-3.0-or-later

#include <sqlite3.h>

// Swift does not import variadic functions.
static inline int csqlite_configure(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

// Swift does not import SQLITE_TRANSIENT, which is a cast. SQLite copies the text or the bytes.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes) {
    return sqlite3_bind_text64(statement, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    // A null pointer would bind NULL instead of an empty blob.
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}
