// SPDX-License-Identifier: GPL-3.0-or-later

// The time that belle-sip takes to read a message. It grows with the squares of the lengths of lists, of the names of hosts and
// users, and of the target of a request: a message of 60 KB would stop the engine for minutes.

#include "messages.h"

#include <ctype.h>
#include <string.h>

enum {
    longest_address = 700,
    longest_header = 16384,
    // In the unit of `cost`, a tenth of a microsecond for a square: 0.2 s.
    highest_cost = 2000000,
    cost_of_target = 16,
    cost_of_label = 8,
    // The number of squares of another field, which may have a list, for one unit.
    squares_of_list = 100,
};

struct reading {
    bool is_response, is_clean;
    size_t cost;
};

/// Returns whether a field has one address.
static bool has_address(const char *line, size_t length, const struct reading *reading) {
    return sipshims_is_field(line, length, "From", 'f') || sipshims_is_field(line, length, "To", 't')
           || (!reading->is_response && sipshims_is_field(line, length, "Contact", 'm'))
           || sipshims_is_field(line, length, "P-Asserted-Identity", 0) || sipshims_is_field(line, length, "Refer-To", 'r')
           || sipshims_is_field(line, length, "Referred-By", 'b') || sipshims_is_field(line, length, "Via", 'v')
           // It may have several, until the cleaning has counted them.
           || (reading->is_clean && sipshims_is_field(line, length, "Diversion", 0));
}

/// Returns whether a field has a list of addresses; responses of registrars have many contacts in one.
static bool has_addresses(const char *line, size_t length) {
    return sipshims_is_field(line, length, "Contact", 'm') || sipshims_is_field(line, length, "Record-Route", 0)
           || sipshims_is_field(line, length, "Route", 0) || sipshims_is_field(line, length, "Service-Route", 0)
           || sipshims_is_field(line, length, "Path", 0) || sipshims_is_field(line, length, "P-Preferred-Identity", 0);
}

/// Returns whether another field has an address that belle-sip reads.
static bool has_target(const char *line, size_t length) {
    return sipshims_is_field(line, length, "Authorization", 0) || sipshims_is_field(line, length, "Proxy-Authorization", 0);
}

/// Returns the longest part of a list.
static size_t longest_part(const char *line, size_t length) {
    size_t longest = 0, part = 0;
    for (size_t i = 0; i < length; i++) {
        part = line[i] == ',' ? 0 : part + 1;
        if (part > longest) longest = part;
    }
    return longest;
}

/// Returns the time for the labels of the name of a host (RFC 1035).
static size_t cost_of_labels(const char *name, size_t length) {
    size_t cost = 0, label = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && name[i] != '.') {
            label++;
        } else {
            cost += cost_of_label * label * label;
            label = 0;
        }
    }
    return cost;
}

/// Returns the time for the names of users and hosts in a field. What stands elsewhere takes none.
static size_t cost_of_names(const char *line, size_t length) {
    size_t cost = 0;
    bool is_way = sipshims_is_field(line, length, "Via", 'v');
    for (size_t i = 0; i < length; i++) {
        size_t start = i;
        while (i < length && (isalnum((unsigned char)line[i]) || line[i] == '-' || line[i] == '.')) i++;
        size_t size = i - start;
        char before = start > 0 ? line[start - 1] : '\0';
        bool is_name = before == ':' || before == '@' || (is_way && (before == ' ' || before == '\t'));
        if (size == 0 || !is_name) continue;
        bool is_user = before == ':' && i < length && line[i] == '@';
        cost += size * size + (is_user ? 0 : cost_of_labels(line + start, size));
    }
    return cost;
}

/// Refuses addresses that belle-sip would cut off at 1,024 bytes, which ends in a crash of liblinphone, and adds the time for the
/// others.
static bool accept_field(const char *line, size_t length, void *context) {
    struct reading *reading = context;
    bool is_one = has_address(line, length, reading), is_list = !is_one && has_addresses(line, length);
    if (is_one && length > longest_address) return false;
    if (is_list && longest_part(line, length) > longest_address) return false;
    bool has_names = is_one || is_list || has_target(line, length);
    reading->cost += has_names ? cost_of_names(line, length) : length * length / squares_of_list;
    return reading->cost <= highest_cost;
}

/// Returns the time for the target of a request.
static size_t cost_of_start_line(const char *text, size_t length) {
    const char *end = memchr(text, '\r', length);
    size_t line = end ? (size_t)(end - text) : length;
    return cost_of_target * line * line;
}

bool sipshims_is_read_fast(const char *text, size_t length, bool is_clean) {
    if (length > longest_header) return false;
    struct reading reading = {length > 4 && strncmp(text, "SIP/", 4) == 0, is_clean, 0};
    if (!reading.is_response) reading.cost = cost_of_start_line(text, length);
    return reading.cost <= highest_cost && sipshims_each_line(text, length, accept_field, &reading);
}
