// SPDX-License-Identifier: GPL-3.0-or-later

// The mixers of joined calls. liblinphone has none for text, but version 5.1 keeps the place for one, and dies when the user
// leaves the conversation. So nobody gets to ask it for one. The program's own functions take precedence over a library's
// (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <dlfcn.h>

#define FIND_MIXER "_ZN15LinphonePrivate12MixerSession14getMixerByTypeE13SalStreamType"

enum { text_type = 2 };  // of liblinphone's streams

void *sipshims_find_mixer(void *session, int type) __asm__(FIND_MIXER);

void *sipshims_find_mixer(void *session, int type) {
    static void *(*find)(void *, int);
    if (type == text_type) return NULL;
    if (!find) *(void **)&find = dlsym(RTLD_NEXT, FIND_MIXER);
    return find ? find(session, type) : NULL;
}
