// SPDX-License-Identifier: GPL-3.0-or-later

// liblinphone gives the sound to one call at a time: it holds the others before it answers a call, ends those that are being
// made, and opens no device for a call that is not the present one. Calls that the answering machine has are beside all that, and
// Touchtone holds the calls of the user itself. The program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <dlfcn.h>

// The functions of Call, as liblinphone's CallSessionListener has them: at other places in its versions 5.1 and 5.3.
#define ACCEPTATION "_N15LinphonePrivate4Call21onCheckForAcceptationERKSt10shared_ptrINS_11CallSessionEE"
#define AVAILABLE "_N15LinphonePrivate4Call26areSoundResourcesAvailableERKSt10shared_ptrINS_11CallSessionEE"

static bool is_shared;

void sipshims_share_sound(bool is_wanted) { is_shared = is_wanted; }

int linphone_core_preempt_sound_resources(struct _LinphoneCore *core);

int linphone_core_preempt_sound_resources(struct _LinphoneCore *core) {
    static int (*original)(struct _LinphoneCore *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "linphone_core_preempt_sound_resources");
    return is_shared || !original ? 0 : original(core);
}

#define REPLACE(number, place)                                                                  \
    void sipshims_check_acceptation_##number(void *, void *) __asm__("_ZThn" place ACCEPTATION); \
    void sipshims_check_acceptation_##number(void *call, void *session) {                        \
        static void (*original)(void *, void *);                                                 \
        if (!original) *(void **)&original = dlsym(RTLD_NEXT, "_ZThn" place ACCEPTATION);        \
        if (!is_shared && original) original(call, session);                                     \
    }                                                                                            \
    bool sipshims_has_sound_##number(void *, void *) __asm__("_ZThn" place AVAILABLE);           \
    bool sipshims_has_sound_##number(void *call, void *session) {                                \
        static bool (*original)(void *, void *);                                                 \
        if (!original) *(void **)&original = dlsym(RTLD_NEXT, "_ZThn" place AVAILABLE);          \
        return is_shared || !original || original(call, session);                                \
    }

REPLACE(5_1, "96")
REPLACE(5_3, "104")
