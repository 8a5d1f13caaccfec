// SPDX-License-Identifier: GPL-3.0-or-later

#include "CSIPShims.h"

#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

bool sipshims_has_srv(const char *name) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return false;
    // The user waits for the reason.
    state.retrans = 2;
    state.retry = 1;
    unsigned char answer[4096];
    int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, sizeof answer);
    res_nclose(&state);
    // The header has the number of answers at byte 6.
    return length >= NS_HFIXEDSZ && (answer[6] << 8 | answer[7]) > 0;
}
