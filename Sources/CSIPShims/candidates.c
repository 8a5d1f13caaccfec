// SPDX-License-Identifier: GPL-3.0-or-later

// Addresses of a far end that come while those before them are checked (trickle ICE, RFC 8838). mediastreamer pairs all that it
// has whenever it is told to begin, so it is shown the new one alone meanwhile: the pairs that it already checks stay as they are,
// and the relay is asked to let the new one through.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "stream.h"

#include <mediastreamer2/ice.h>
#include <string.h>

// The tests link this target without mediastreamer.
USES(bctbx_list_append);
USES(bctbx_list_concat);
USES(bctbx_list_free);
USES(bctbx_list_insert_sorted);
USES(ice_add_remote_candidate);
USES(ice_session_start_connectivity_checks);
USES(linphone_call_get_stream);

static IceCheckList *checks_of(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    IceCheckList *list = stream ? stream->ice_check_list : NULL;
    return list && list->session ? list : NULL;
}

enum sipshims_checks sipshims_checks(struct _LinphoneCall *call) {
    const IceCheckList *list = checks_of(call);
    if (!list || list->session->state == IS_Stopped) return SIPSHIMS_CHECKS_TO_COME;
    return list->session->state == IS_Running && list->state == ICL_Running ? SIPSHIMS_CHECKS_RUNNING : SIPSHIMS_CHECKS_OVER;
}

/// Orders the pairs, with the highest priority first.
static int compare(const void *one, const void *other) {
    return ((const IceCandidatePair *)one)->priority < ((const IceCandidatePair *)other)->priority;
}

void sipshims_add_candidate(
    struct _LinphoneCall *call, const char *kind, const char *address, uint16_t port, uint32_t priority, const char *foundation) {
    IceCheckList *list = checks_of(call);
    if (!list || sipshims_checks(call) != SIPSHIMS_CHECKS_RUNNING) return;
    int family = strchr(address, ':') ? AF_INET6 : AF_INET;
    IceCandidate *candidate = ice_add_remote_candidate(list, kind, family, address, port, 1, priority, foundation, FALSE);
    // It is known.
    if (!candidate) return;
    bctbx_list_t *known = list->remote_candidates, *pairs = list->pairs, *checks = list->check_list;
    list->remote_candidates = bctbx_list_append(NULL, candidate);
    list->pairs = list->check_list = NULL;
    ice_session_start_connectivity_checks(list->session);
    for (const bctbx_list_t *item = list->check_list; item; item = item->next)
        checks = bctbx_list_insert_sorted(checks, item->data, compare);
    bctbx_list_free(list->check_list);
    bctbx_list_free(list->remote_candidates);
    list->remote_candidates = known;
    list->pairs = bctbx_list_concat(pairs, list->pairs);
    list->check_list = checks;
}
