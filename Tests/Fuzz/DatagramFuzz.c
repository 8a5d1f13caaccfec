// SPDX-License-Identifier: GPL-3.0-or-later

// The checks of a stranger's datagram, for libFuzzer. build.sh compiles it together with them.

#include "../../Sources/CSIPShims/guards.c"
#include "../../Sources/CSIPShims/fields.c"

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
    (void)has_short_addresses(text, count);
    (void)sipshims_each_line(text, count, accept_not_register, NULL);
    size_t size = 0;
    char *clean = sipshims_clean_header(text, count, &size);
    if (clean && (size > 2 * count + 2 || strlen(clean) > size || !sipshims_has_start_line(clean, size))) abort();
    free(clean);
    if (length > 0) hide_identities(text, length);
    free(text);
    return 0;
}
