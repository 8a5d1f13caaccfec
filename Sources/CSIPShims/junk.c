// SPDX-License-Identifier: GPL-3.0-or-later

// What stands between messages on a connection. belle-sip searches it for the start of a message, from each character to the
// end of its word: a word of 60 KB would stop the engine for half a minute.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef int scanner(const char *text, const char *format, va_list values);

/// Returns whether belle-sip searches for the start of a message, and has found none at the character before. That one was no
/// space, so that a request cannot start here; a response can, because its start is always the same.
static bool is_within_word(const char *text, const char *format) {
    // Only the thread that reads SIP searches.
    static const char *last;
    static bool is_within;
    if (strcmp(format, "SIP/2.0 %d ") == 0 && text != last) {
        is_within = last && text == last + 1 && strncmp(text, "SIP/", 4) != 0;
        last = text;
    }
    return is_within && text == last;
}

static bool is_search(const char *format) {
    return strcmp(format, "SIP/2.0 %d ") == 0 || strcmp(format, "HTTP/1.%*i %d ") == 0
           || strcmp(format, "%16s %*s %9s\r\n") == 0;
}

static int scan(const char *name, const char *text, const char *format, va_list values) {
    if (is_search(format) && is_within_word(text, format)) return 0;
    scanner *original = NULL;
    *(void **)&original = dlsym(RTLD_NEXT, name);
    return original ? original(text, format, values) : EOF;
}

// The names that the C library gives to sscanf, by the standard of the caller.

int __isoc99_sscanf(const char *text, const char *format, ...);
int __isoc23_sscanf(const char *text, const char *format, ...);

int __isoc99_sscanf(const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int count = scan("__isoc99_vsscanf", text, format, values);
    va_end(values);
    return count;
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int count = scan("__isoc23_vsscanf", text, format, values);
    va_end(values);
    return count;
}
