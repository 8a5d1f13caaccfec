// SPDX-License-Identifier: GPL-3.0-or-later
// spandsp_dtmf: prints the keys that spandsp's DTMF receiver detects in raw 16-bit mono samples at 8 kHz.
// usage: spandsp_dtmf < samples
// build: cc -o spandsp_dtmf spandsp_dtmf.c -lspandsp -lm

#include <spandsp.h>
#include <stdint.h>
#include <stdio.h>

static void heard(void *user, const char *digits, int count)
{
    (void)user;
    printf("%.*s", count, digits);
}

int main(void)
{
    dtmf_rx_state_t *receiver = dtmf_rx_init(NULL, heard, NULL);
    if (receiver == NULL)
        return 1;
    int16_t block[160];
    size_t count;
    while ((count = fread(block, sizeof block[0], sizeof block / sizeof block[0], stdin)) > 0)
        dtmf_rx(receiver, block, (int)count);
    // The callback gets digits in batches. Print the rest at the end.
    char digits[128];
    size_t left = dtmf_rx_get(receiver, digits, sizeof digits - 1);
    printf("%.*s\n", (int)left, digits);
    dtmf_rx_free(receiver);
    return 0;
}
