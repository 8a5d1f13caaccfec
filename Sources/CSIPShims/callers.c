// SPDX-License-Identifier: GPL-3.0-or-later

// The names and identities of callers, in the forms that servers have for them and belle-sip or liblinphone do not read.

#define _GNU_SOURCE
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The tests link this target without belle-sip.
USES(belle_sip_header_create);
USES(belle_sip_header_get_unparsed_value);
USES(belle_sip_message_add_header);
USES(belle_sip_message_get_headers);
USES(belle_sip_message_remove_header);

/// Returns the number of bytes of the character that begins a text (RFC 3629, section 4), or 0 if it is not UTF-8.
static size_t character_length(const unsigned char *text, size_t length) {
    unsigned char first = text[0];
    if (first < 0x80) return 1;
    size_t size = first >= 0xc2 && first <= 0xdf ? 2 : (first & 0xf0) == 0xe0 ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
    if (size == 0 || size > length) return 0;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    bool is_overlong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
    bool is_outside = (first == 0xed && text[1] > 0x9f) || (first == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_outside ? 0 : size;
}

static bool is_utf8(const unsigned char *text, size_t length) {
    for (size_t i = 0, size; i < length; i += size)
        if ((size = character_length(text + i, length - i)) == 0) return false;
    return true;
}

/// The characters from 0x80 to 0x9f of Windows-1252, which programs call Latin-1; 0 for those that it does not have.
static const uint16_t windows[32] = {
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
    0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
};

static uint16_t windows_character(unsigned char byte) {
    return byte < 0x80 || byte > 0x9f ? byte : windows[byte - 0x80] ? windows[byte - 0x80] : '?';
}

static size_t coded_length(uint16_t character) { return character < 0x80 ? 1 : character < 0x800 ? 2 : 3; }

size_t sipshims_make_utf8(char *line, size_t size) {
    unsigned char *text = (unsigned char *)line;
    if (is_utf8(text, size)) return size;
    size_t longer = 0;
    for (size_t i = 0; i < size; i++) longer += coded_length(windows_character(text[i]));
    for (size_t i = size, end = longer; i-- > 0;) {
        uint16_t character = windows_character(text[i]);
        size_t length = coded_length(character);
        end -= length;
        if (length == 1) text[end] = (unsigned char)character;
        if (length == 1) continue;
        for (size_t k = length - 1; k > 0; k--, character >>= 6) text[end + k] = 0x80 | (character & 0x3f);
        text[end] = (length == 2 ? 0xc0 : 0xe0) | (unsigned char)character;
    }
    return longer;
}

size_t sipshims_quote_name(char *line, size_t size) {
    static const struct {
        const char *name;
        char short_name;
    } fields[] = {{"From", 'f'}, {"To", 't'}, {"Contact", 'm'}, {"Refer-To", 'r'}, {"Referred-By", 'b'}};
    bool has_name = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (sipshims_is_field(line, size, fields[i].name, fields[i].short_name)) has_name = true;
    char *bracket = has_name ? memchr(line, '<', size) : NULL;
    char *start = bracket ? (char *)memchr(line, ':', size) + 1 : NULL, *end = bracket;
    if (!start || start > end) return size;
    while (start < end && (*start == ' ' || *start == '\t')) start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    // With a colon, it is an address without brackets, in front of others.
    bool is_plain = start == end || *start == '"' || memchr(start, ':', (size_t)(end - start));
    for (char *c = start; c < end && !is_plain; c++)
        if (!sipshims_is_token(*c) && *c != ' ' && *c != '\t') break;
        else is_plain = c + 1 == end;
    if (is_plain) return size;
    for (char *c = start; c < end; c++)
        if (*c == '"' || *c == '\\') *c = '\'';
    memmove(end + 2, end, size - (size_t)(end - line));
    memmove(start + 1, start, (size_t)(end - start));
    *start = end[1] = '"';
    return size + 2;
}

void sipshims_join_identities(struct _belle_sip_message *message) {
    static const char field[] = "P-Asserted-Identity";
    const belle_sip_list_t *element = belle_sip_message_get_headers(message, field);
    if (!element || !element->next) return;
    const char *first = belle_sip_header_get_unparsed_value(element->data);
    const char *second = belle_sip_header_get_unparsed_value(element->next->data);
    // belle-sip cuts off texts of more bytes.
    char joined[1024];
    int length = first && second ? snprintf(joined, sizeof joined, "%s, %s", first, second) : -1;
    if (length < 0 || length >= (int)sizeof joined) return;
    belle_sip_message_remove_header(message, field);
    belle_sip_message_add_header(message, belle_sip_header_create(field, joined));
}

/// Returns the end of the first value of a list: a comma that is neither in quotes nor in brackets, or the end of the list.
static const char *value_end(const char *text, const char *end) {
    bool is_quoted = false, is_address = false;
    for (const char *c = text; c < end; c++) {
        if (is_quoted && *c == '\\' && c + 1 < end) c++;
        else if (*c == '"') is_quoted = !is_quoted;
        else if (!is_quoted && (*c == '<' || *c == '>')) is_address = *c == '<';
        else if (*c == ',' && !is_quoted && !is_address) return c;
    }
    return end;
}

static const char *skip_blanks(const char *text, const char *end) {
    while (text < end && (*text == ' ' || *text == '\t')) text++;
    return text;
}

/// Returns whether a value has a word, in any case of its letters.
static bool has_word(const char *value, const char *end, const char *word) {
    size_t size = strlen(word);
    for (const char *c = value; (size_t)(end - c) >= size; c++)
        if (strncasecmp(c, word, size) == 0) return true;
    return false;
}

/// Returns how many diversions a value of Diversion stands for: one, or as many as its counter says.
static int steps(const char *value, const char *end) {
    static const char name[] = "counter";
    const size_t size = sizeof name - 1;
    const char *bracket = memrchr(value, '>', (size_t)(end - value));
    for (const char *c = bracket ? bracket : value; (c = memchr(c, ';', (size_t)(end - c))) != NULL;) {
        c = skip_blanks(c + 1, end);
        if ((size_t)(end - c) <= size || strncasecmp(c, name, size) != 0) continue;
        const char *digit = skip_blanks(c + size, end);
        if (digit == end || *digit != '=') continue;
        digit = skip_blanks(digit + 1, end);
        int number = 0;
        for (int i = 0; i < 2 && digit < end && *digit >= '0' && *digit <= '9'; i++) number = 10 * number + *digit++ - '0';
        return number > 1 ? number : 1;
    }
    return 1;
}

bool sipshims_count_diversions(const char *line, size_t length, struct sipshims_diversions *found) {
    if (sipshims_is_field(line, length, sipshims_diversions_field, 0)) return true;
    bool is_diversion = sipshims_is_field(line, length, "Diversion", 0);
    if (!is_diversion && !sipshims_is_field(line, length, "History-Info", 0)) return false;
    const char *end = line + length, *next;
    for (const char *value = (const char *)memchr(line, ':', length) + 1; value < end; value = next + 1) {
        next = value_end(value, end);
        if (skip_blanks(value, next) == next) continue;
        if (is_diversion) {
            found->steps += steps(value, next);
        } else {
            if (has_word(value, next, ";cause=")) found->causes++;
            if (has_word(value, next, "Reason=")) found->reasons++;
        }
    }
    return true;
}

size_t sipshims_write_diversions(const struct sipshims_diversions *found, char *line) {
    int count = found->steps;
    if (found->causes > count) count = found->causes;
    if (found->reasons > count) count = found->reasons;
    if (count == 0) return 0;
    return (size_t)snprintf(line, sipshims_longest_diversions, "%s: %d\r\n", sipshims_diversions_field, count);
}
