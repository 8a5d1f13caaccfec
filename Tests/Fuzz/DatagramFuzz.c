// SPDX-License-Identifier: GPL-3.0-or-later

// The checks of a stranger's datagram, for libFuzzer. build.sh compiles it together with them.

#include "../../Sources/CSIPShims/callers.c"
#include "../../Sources/CSIPShims/costs.c"
#include "../../Sources/CSIPShims/guards.c"
#include "../../Sources/CSIPShims/fields.c"
#include "../../Sources/CSIPShims/instances.c"
#include "../../Sources/CSIPShims/parts.c"
#include "../../Sources/CSIPShims/quarantine.c"

/// Finds the session in a body with several parts, whose boundary stands in the cleaned header.
static void find_part(const char *clean, char *body, size_t count) {
    static const char type[] = "\r\nc: x/parts;b=";
    const char *line = strstr(clean, type);
    if (!line) return;
    // A stranger may send this form, too, at any length.
    char *boundary = strndup(line + sizeof type - 1, strcspn(line + sizeof type - 1, "\r"));
    if (!boundary) return;
    struct sipshims_part part = sipshims_find_session(body, count, boundary);
    free(boundary);
    if (part.text && (part.text < body || part.length == 0 || part.text + part.length > body + count)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);

/// Runs one input: the bytes of a datagram, without anything behind them.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    char *text = malloc(count ? count : 1);
    if (!text) return 0;
    memcpy(text, data, count);
    size_t length = message_length(text, count);
    // What the libraries get is within the datagram, and has a whole header.
    if (length > count || (length > 0 && (body_start(text, length) == 0 || !sipshims_has_start_line(text, length)))) abort();
    (void)is_new_call(text, count);
    (void)sipshims_is_read_fast(text, count, false);
    (void)sipshims_each_line(text, count, accept_not_register, NULL);
    size_t size = 0;
    char *clean = sipshims_clean_header(text, count, &size);
    if (clean && (size >= 3 * count + 4 * most_fields + sipshims_longest_diversions + 64 || strlen(clean) > size || !sipshims_has_start_line(clean, size))) abort();
    size_t body = body_start(text, count);
    if (clean && body > 0) {
        char *copy = malloc(count - body + 1);
        if (copy) find_part(clean, memcpy(copy, text + body, count - body), count - body);
        free(copy);
    }
    free(clean);
    if (length > 0) hide_identities(text, length);
    free(text);
    return 0;
}
