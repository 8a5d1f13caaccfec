// SPDX-License-Identifier: GPL-3.0-or-later

// Bodies with several parts (RFC 2046, section 5.1; RFC 5621), in which servers send a session description beside a
// location or the signals of another network. belle-sip and liblinphone crash at some, so the session description takes the
// place of the whole body before they see it.

#define _GNU_SOURCE
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { most_parts = 16, deepest = 2, longest_boundary = 70 };

/// A boundary between parts.
struct boundary {
    char text[longest_boundary];
    size_t length;
};

static bool is_space(char character) { return character == ' ' || character == '\t'; }

/// Removes the spaces around a text.
static void trim(const char **text, size_t *length) {
    while (*length > 0 && is_space(**text)) (*text)++, (*length)--;
    while (*length > 0 && (is_space((*text)[*length - 1]) || (*text)[*length - 1] == '\r')) (*length)--;
}

/// Finds the value of a parameter behind the first semicolon of a field (RFC 2045, section 5.1), and writes it without quotes.
/// Returns its length; 0 if it is missing or longer than the space.
static size_t find_parameter(const char *field, size_t length, const char *name, char *value, size_t size) {
    const char *end = field + length, *c = memchr(field, ';', length);
    while (c && c < end) {
        const char *start = ++c;
        while (c < end && *c != '=' && *c != ';') c++;
        size_t name_length = (size_t)(c - start), used = 0;
        trim(&start, &name_length);
        bool is_wanted = name_length == strlen(name) && strncasecmp(start, name, name_length) == 0, is_long = false;
        if (c < end && *c == '=') c++;
        while (c < end && is_space(*c)) c++;
        bool is_quoted = c < end && *c == '"';
        if (is_quoted) c++;
        for (; c < end && *c != (is_quoted ? '"' : ';'); c++) {
            if (is_quoted && *c == '\\' && c + 1 < end) c++;
            if (used < size) value[used++] = *c;
            else is_long = true;
        }
        while (!is_quoted && used > 0 && is_space(value[used - 1])) used--;
        if (is_wanted) return is_long ? 0 : used;
        c = c < end ? memchr(c, ';', (size_t)(end - c)) : NULL;
    }
    return 0;
}

/// Reads the boundary of a body from the field with its type. Returns false if it has none that is allowed.
static bool read_boundary(const char *field, size_t length, struct boundary *boundary) {
    boundary->length = find_parameter(field, length, "boundary", boundary->text, sizeof boundary->text);
    for (size_t i = 0; i < boundary->length; i++)
        if (boundary->text[i] < ' ' || boundary->text[i] > '~') return false;
    return boundary->length > 0 && boundary->text[boundary->length - 1] != ' ';
}

size_t sipshims_hide_parts(char *line, size_t length) {
    struct boundary boundary;
    bool has_boundary = read_boundary(line, length, &boundary);
    size_t used = (size_t)sprintf(line, "c: x/parts");
    if (!has_boundary) return used;
    used += (size_t)sprintf(line + used, ";b=");
    for (size_t i = 0; i < boundary.length; i++) used += (size_t)sprintf(line + used, "%02x", (unsigned)boundary.text[i]);
    return used;
}

/// Returns whether a field has a media type or a token, without its parameters.
static bool is_value(const char *value, size_t length, const char *expected) {
    const char *end = memchr(value, ';', length);
    if (end) length = (size_t)(end - value);
    trim(&value, &length);
    return length == strlen(expected) && strncasecmp(value, expected, length) == 0;
}

static struct sipshims_part find_session(char *body, size_t size, const struct boundary *boundary, int depth);

/// Reads a part: the session description in it, if it is one or has one.
static struct sipshims_part read_part(char *text, size_t size, int depth) {
    const char *type = NULL;
    size_t type_length = 0;
    bool is_session = true, is_required = false;
    char *line = text, *end = text + size;
    while (line < end && *line != '\n' && *line != '\r') {
        char *next = memchr(line, '\n', (size_t)(end - line));
        // A line that begins with a space continues the one before.
        while (next && next + 1 < end && is_space(next[1])) {
            *next = ' ';
            if (next > line && next[-1] == '\r') next[-1] = ' ';
            next = memchr(next, '\n', (size_t)(end - next));
        }
        if (!next) return (struct sipshims_part){0};
        size_t length = (size_t)(next - line);
        const char *colon = memchr(line, ':', length), *value = colon ? colon + 1 : next;
        size_t value_length = (size_t)(next - value);
        trim(&value, &value_length);
        char handling[16];
        if (sipshims_is_field(line, length, "Content-Type", 'c')) {
            type = value;
            type_length = value_length;
        } else if (sipshims_is_field(line, length, "Content-Disposition", 0)) {
            is_session = is_session && is_value(value, value_length, "session");
            size_t used = find_parameter(value, value_length, "handling", handling, sizeof handling);
            is_required = used == strlen("required") && strncasecmp(handling, "required", used) == 0;
        } else if (sipshims_is_field(line, length, "Content-Transfer-Encoding", 0)) {
            is_session = is_session && (is_value(value, value_length, "7bit") || is_value(value, value_length, "8bit")
                                        || is_value(value, value_length, "binary"));
        } else if (sipshims_is_field(line, length, "Content-Encoding", 'e')) {
            is_session = is_session && is_value(value, value_length, "identity");
        }
        line = next + 1;
    }
    if (line < end && *line == '\r') line++;
    if (line < end && *line == '\n') line++;
    size_t left = line < end ? (size_t)(end - line) : 0;
    if (type && is_session && left > 0 && is_value(type, type_length, "application/sdp"))
        return (struct sipshims_part){line, left, false};
    struct boundary inner;
    struct sipshims_part found = {0};
    if (type && depth < deepest && type_length > 10 && strncasecmp(type, "multipart/", 10) == 0
        && read_boundary(type, type_length, &inner))
        found = find_session(line, left, &inner, depth + 1);
    if (!found.text) found.is_refused = found.is_refused || is_required;
    return found;
}

/// Finds the session description in a body with a boundary, of which it changes the fields of the parts.
static struct sipshims_part find_session(char *body, size_t size, const struct boundary *boundary, int depth) {
    struct sipshims_part found = {0};
    char *part = NULL, *end = body + size;
    int count = 0;
    for (char *line = body; line < end;) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((next ? next : end) - line);
        bool is_delimiter = length >= boundary->length + 2 && line[0] == '-' && line[1] == '-'
                            && memcmp(line + 2, boundary->text, boundary->length) == 0;
        const char *rest = line + boundary->length + 2;
        size_t left = is_delimiter ? length - boundary->length - 2 : 0;
        if (is_delimiter) trim(&rest, &left);
        bool is_last = left == 2 && rest[0] == '-' && rest[1] == '-';
        if (is_delimiter && (left == 0 || is_last)) {
            // The end of the line before belongs to the boundary.
            char *part_end = line > body ? line - 1 : line;
            if (part_end > body && part_end[-1] == '\r') part_end--;
            if (part && ++count > most_parts) return (struct sipshims_part){0};
            if (part && part < part_end) {
                struct sipshims_part read = read_part(part, (size_t)(part_end - part), depth);
                if (read.is_refused) return (struct sipshims_part){NULL, 0, true};
                if (!found.text) found = read;
            }
            if (is_last) return found;
            part = next ? next + 1 : end;
        }
        if (!next) break;
        line = next + 1;
    }
    // What has no end was cut off.
    return (struct sipshims_part){0};
}

struct sipshims_part sipshims_find_session(char *body, size_t size, const char *hidden_boundary) {
    struct boundary boundary = {.length = 0};
    size_t length = strlen(hidden_boundary);
    if (length == 0 || length % 2 || length / 2 > longest_boundary) return (struct sipshims_part){0};
    for (size_t i = 0; i < length; i += 2) {
        unsigned value = 0;
        if (sscanf(hidden_boundary + i, "%2x", &value) != 1) return (struct sipshims_part){0};
        boundary.text[boundary.length++] = (char)value;
    }
    return find_session(body, size, &boundary, 0);
}
