// SPDX-License-Identifier: GPL-3.0-or-later

// The header of a message, without the fields at which belle-sip or liblinphone end: those without a value, those that are
// none, and repetitions of fields that a message has once. What is left is in UTF-8. Diversions are only counted.

#define _GNU_SOURCE
#include "messages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A message has at most this number of fields; more would cost time.
enum { most_fields = 256 };

bool sipshims_is_token(char character) {
    return isalnum((unsigned char)character) || (character && strchr("-.!%*_+`'~", character));
}

/// Returns whether a text is a number of three digits from 100 to 699.
static bool is_status(const char *text) {
    return text[0] >= '1' && text[0] <= '6' && isdigit((unsigned char)text[1]) && isdigit((unsigned char)text[2]);
}

bool sipshims_has_start_line(const char *text, size_t length) {
    static const char version[] = "SIP/2.0";
    const char *end = memchr(text, '\r', length);
    if (!end) return false;
    size_t line = (size_t)(end - text), size = sizeof version - 1;
    // What begins so is a status line: belle-sip would find a request behind it.
    if (line >= 4 && strncasecmp(text, "SIP/", 4) == 0)
        return line > size + 3 && strncmp(text, version, size) == 0 && text[size] == ' ' && is_status(text + size + 1)
               && (text[size + 4] == ' ' || text[size + 4] == '\r');
    const char *first = memchr(text, ' ', line), *last = memrchr(text, ' ', line);
    if (!first || first == text || last <= first + 1) return false;
    for (const char *c = text; c < first; c++)
        if (!sipshims_is_token(*c)) return false;
    return memchr(first + 1, ' ', (size_t)(end - first - 1)) == last && (size_t)(end - last - 1) == size
           && strncmp(last + 1, version, size) == 0;
}

/// A field that a message has at most once. Without the essential ones, or with two, it cannot be understood.
struct single {
    const char *name;
    char short_name;
    bool is_essential;
};

static const struct single singles[] = {
    {"From", 'f', true}, {"To", 't', true}, {"Call-ID", 'i', true}, {"CSeq", 0, true}, {"Content-Length", 'l', true},
    {"Max-Forwards", 0, false}, {"Content-Type", 'c', false}, {"Content-Disposition", 0, false},
    {"Content-Encoding", 'e', false}, {"Subject", 's', false},
    {"Expires", 0, false}, {"Min-Expires", 0, false}, {"Event", 'o', false}, {"Refer-To", 'r', false},
    {"Referred-By", 'b', false}, {"Replaces", 0, false}, {"Session-Expires", 'x', false}, {"Min-SE", 0, false},
    {"Subscription-State", 0, false}, {"Retry-After", 0, false}, {"User-Agent", 0, false}, {"Server", 0, false},
    {"Date", 0, false}, {"Organization", 0, false}, {"Priority", 0, false}, {"Reply-To", 0, false},
    {"Timestamp", 0, false}, {"MIME-Version", 0, false}, {"Privacy", 0, false}, {"RSeq", 0, false}, {"RAck", 0, false},
};
enum { single_count = sizeof singles / sizeof *singles };

/// Returns whether a line, without its end, has a name, a colon and a value.
static bool is_complete(const char *line, size_t length) {
    size_t i = 0;
    while (i < length && sipshims_is_token(line[i])) i++;
    if (i == 0) return false;
    while (i < length && (line[i] == ' ' || line[i] == '\t')) i++;
    if (i >= length || line[i] != ':') return false;
    for (i++; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t') return true;
    return false;
}

/// Returns whether a line is the type of a body with parts, at which belle-sip and liblinphone end.
static bool has_parts(const char *line, size_t length) {
    if (!sipshims_is_field(line, length, "Content-Type", 'c')) return false;
    for (size_t i = 0; i + 9 <= length; i++)
        if (strncasecmp(line + i, "multipart", 9) == 0) return true;
    return false;
}

/// Replaces the name of a compression by one that no library knows. Returns the new length.
static size_t hide_encoding(char *line, size_t length) {
    static const char hidden[] = "Content-Encoding: x", name[] = "identity";
    const char *value = (const char *)memchr(line, ':', length) + 1;
    while (*value == ' ' || *value == '\t') value++;
    bool is_identity = (size_t)(line + length - value) == sizeof name - 1 && strncasecmp(value, name, sizeof name - 1) == 0;
    if (is_identity) return length;
    memcpy(line, hidden, sizeof hidden - 1);
    return sizeof hidden - 1;
}

char *sipshims_clean_header(const char *text, size_t length, size_t *clean_length) {
    const char *next = memchr(text, '\n', length), *end = text + length;
    if (!next || next == text || next - 1 != memchr(text, '\r', length) || !sipshims_has_start_line(text, length)) return NULL;
    // A line may have ended without a return, and may need quotes; a boundary is written with two digits for a character,
    // a letter of Latin-1 with up to three bytes, a compression gets a longer name, and the diversions are counted.
    char *clean = malloc(3 * length + 4 * most_fields + sipshims_longest_diversions + 64);
    if (!clean) return NULL;
    size_t used = (size_t)(next + 1 - text), count = 0;
    memcpy(clean, text, used);
    used = sipshims_make_utf8(clean, used);
    bool seen[single_count] = {false};
    struct sipshims_diversions diversions = {0};
    for (next++; next < end && *next != '\r';) {
        const char *line_end = memchr(next, '\n', (size_t)(end - next));
        // A line that begins with a space continues the one before (RFC 3261, section 7.3.1).
        while (line_end && line_end + 1 < end && (line_end[1] == ' ' || line_end[1] == '\t'))
            line_end = memchr(line_end + 1, '\n', (size_t)(end - line_end - 1));
        if (!line_end) break;
        char *line = clean + used;
        size_t size = 0;
        for (const char *c = next; c < line_end; c++) line[size++] = *c == '\r' || *c == '\n' ? ' ' : *c;
        next = line_end + 1;
        while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\t')) size--;
        if (!is_complete(line, size)) continue;
        size_t i = 0;
        while (i < single_count && !sipshims_is_field(line, size, singles[i].name, singles[i].short_name)) i++;
        if (++count > most_fields || (i < single_count && seen[i] && singles[i].is_essential)) {
            free(clean);
            return NULL;
        }
        if (i < single_count && seen[i]) continue;
        if (sipshims_count_diversions(line, size, &diversions)) continue;
        if (has_parts(line, size)) size = sipshims_hide_parts(line, size);
        // belle-sip would decompress a body without a limit.
        if (sipshims_is_field(line, size, "Content-Encoding", 'e')) size = hide_encoding(line, size);
        if (sipshims_is_field(line, size, "Contact", 'm')) sipshims_hide_strange_instances(line, size);
        if (i < single_count) seen[i] = true;
        size = sipshims_quote_name(line, sipshims_make_utf8(line, size));
        memcpy(line + size, "\r\n", 2);
        used += size + 2;
    }
    used += sipshims_write_diversions(&diversions, clean + used);
    memcpy(clean + used, "\r\n", 2);
    used += 2;
    clean[used] = '\0';
    *clean_length = used;
    return clean;
}
