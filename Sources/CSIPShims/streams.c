// SPDX-License-Identifier: GPL-3.0-or-later

// liblinphone 5.1 asks for the source of a stream that has ended, and oRTP reads it without a check: it describes the
// session of a call once more, and the call has ended meanwhile. liblinphone 5.2 checks it. The program's own functions take
// precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <dlfcn.h>

uint32_t rtp_session_get_send_ssrc(struct _RtpSession *session) {
    static uint32_t (*original)(struct _RtpSession *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "rtp_session_get_send_ssrc");
    return session && original ? original(session) : 0;
}
