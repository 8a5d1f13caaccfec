// SPDX-License-Identifier: GPL-3.0-or-later

// The suppression of noise. mediastreamer has no setting for it, but what its echo canceller has left of the microphone goes
// through a filter of Speex that takes away noise and what remains of the echo. How much of the noise, the filter can be told
// at any time, from the thread on which it runs. The program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <dlfcn.h>
#include <stdatomic.h>

enum {
    set_noise_suppression = 18,  // SPEEX_PREPROCESS_SET_NOISE_SUPPRESS
    suppression = -15            // decibels: the filter's own value; more would also take from a steady tone
};

int speex_preprocess_run(void *filter, int16_t *samples);

static atomic_bool is_suppressed = true;

void sipshims_suppress_noise(bool is_wanted) { atomic_store(&is_suppressed, is_wanted); }

int speex_preprocess_run(void *filter, int16_t *samples) {
    static int (*run)(void *, int16_t *);
    static int (*control)(void *, int, void *);
    if (!run) *(void **)&run = dlsym(RTLD_NEXT, "speex_preprocess_run");
    if (!control) *(void **)&control = dlsym(RTLD_NEXT, "speex_preprocess_ctl");
    // Without the suppression, the filter goes on with the echo.
    int32_t decibels = atomic_load(&is_suppressed) ? suppression : 0;
    if (control) control(filter, set_noise_suppression, &decibels);
    return run ? run(filter, samples) : 0;
}
