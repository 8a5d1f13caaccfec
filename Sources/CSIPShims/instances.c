// SPDX-License-Identifier: GPL-3.0-or-later

// The addresses that a registrar gives to this one phone of a user (GRUU, RFC 5627). liblinphone ends when it uses one that
// belle-sip cannot read.

#define _GNU_SOURCE
#include "messages.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/// Returns the number of characters at the start of a text that are letters, digits or among others.
static size_t span(const char *text, size_t length, const char *others) {
    size_t i = 0;
    while (i < length && (isalnum((unsigned char)text[i]) || (text[i] && strchr(others, text[i])))) i++;
    return i;
}

/// Returns whether a text begins with a SIP address in quotes, of the characters that such addresses have.
static bool is_quoted_address(const char *text, size_t length) {
    size_t scheme = length > 6 && strncasecmp(text, "\"sips:", 6) == 0 ? 6 : 5;
    if (length <= scheme || (scheme == 5 && strncasecmp(text, "\"sip:", 5) != 0)) return false;
    text += scheme;
    length -= scheme;
    size_t user = span(text, length, "-_.!~*'()&=+$,;?/%");
    if (user == 0 || user == length || text[user] != '@') return false;
    text += user + 1;
    length -= user + 1;
    size_t host = span(text, length, "-.");
    if (length > 0 && *text == '[') {
        host = 1 + span(text + 1, length - 1, ":.");
        if (host == length || text[host++] != ']') return false;
    }
    if (host == 0) return false;
    size_t port = host < length && text[host] == ':' ? 1 + span(text + host + 1, length - host - 1, "") : 0;
    if (port == 1 || port > 6) return false;
    size_t rest = host + port;
    if (rest < length && text[rest] == ';') rest += span(text + rest, length - rest, ";=:-_.!~*+%");
    return rest < length && text[rest] == '"';
}

void sipshims_hide_strange_instances(char *line, size_t length) {
    static const char *const names[] = {"pub-gruu", "temp-gruu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        for (char *c = line; (size_t)(c - line) + size < length; c++) {
            if (strncasecmp(c, names[i], size) != 0) continue;
            char *value = c + size;
            if (*value == '=' && is_quoted_address(value + 1, length - (size_t)(value + 1 - line))) continue;
            // A parameter that nobody knows has no effect.
            *c = 'x';
        }
    }
}
