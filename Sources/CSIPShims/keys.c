// SPDX-License-Identifier: GPL-3.0-or-later

// The keys of SDES, which everybody on the way can read if the message is not encrypted (RFC 4568, section 7).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip.
USES(belle_sip_message_get_body);
USES(belle_sip_message_get_body_size);

static const char attribute[] = "a=crypto";

static bool starts_with(const char *line, const char *end, const char *text) {
    size_t length = strlen(text);
    return (size_t)(end - line) >= length && strncasecmp(line, text, length) == 0;
}

/// Returns the start of the next line.
static const char *next_line(const char *line, const char *end) {
    while (line < end && *line != '\r' && *line != '\n') line++;
    while (line < end && (*line == '\r' || *line == '\n')) line++;
    return line;
}

static bool find_keys(const char *body, const char *end) {
    for (const char *line = body; line < end; line = next_line(line, end))
        if (starts_with(line, end, attribute)) return true;
    return false;
}

bool sipshims_has_keys(struct _belle_sip_message *message) {
    const char *body = belle_sip_message_get_body(message);
    return body && find_keys(body, body + belle_sip_message_get_body_size(message));
}

/// Returns whether a description of media asks for SRTP with keys of SDES (RFC 4568) and not of DTLS (RFC 5764).
static bool needs_keys(const char *line, const char *end) {
    if (!starts_with(line, end, "m=")) return false;
    const char *line_end = line;
    while (line_end < end && *line_end != '\r' && *line_end != '\n') line_end++;
    const char *profile = memchr(line, ' ', (size_t)(line_end - line));
    if (profile) profile = memchr(profile + 1, ' ', (size_t)(line_end - profile - 1));
    return profile && starts_with(profile + 1, line_end, "RTP/SAVP");
}

bool sipshims_remove_open_keys(struct _belle_sip_message *message) {
    const char *body = belle_sip_message_get_body(message);
    if (!body) return true;
    const char *end = body + belle_sip_message_get_body_size(message);
    bool has_fingerprint = false, needs = false, has_plain_sound = false;
    for (const char *line = body; line < end; line = next_line(line, end)) {
        if (starts_with(line, end, "a=fingerprint:")) has_fingerprint = true;
        if (needs_keys(line, end)) needs = true;
        else if (starts_with(line, end, "m=audio")) has_plain_sound = true;
    }
    if (needs && !has_fingerprint && !has_plain_sound) return false;
    if (!find_keys(body, end)) return true;
    char *rest = malloc((size_t)(end - body) + 1), *used = rest;
    if (!rest) return false;
    for (const char *line = body; line < end;) {
        const char *next = next_line(line, end);
        if (!starts_with(line, end, attribute)) {
            memcpy(used, line, (size_t)(next - line));
            used += next - line;
        }
        line = next;
    }
    *used = '\0';
    sipshims_set_body(message, rest, (size_t)(used - rest));
    free(rest);
    return true;
}
