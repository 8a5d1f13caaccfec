// SPDX-License-Identifier: GPL-3.0-or-later

// Responses of which the program has to know: those to keys by INFO (RFC 6086), and those to requests to subscribe (RFC 6665).
// liblinphone does not send the request that ends a subscription while another one within it has no response, and does not
// tell when that has come.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <stdlib.h>
#include <string.h>

// The tests link this target without belle-sip.
USES(belle_sip_response_get_status_code);

static sipshims_key_report report_key;
static void *report_context;
/// The subscriptions whose last request has no final response.
static struct sipshims_calls asked;

void sipshims_watch_keys(sipshims_key_report report, void *context) {
    report_key = report;
    report_context = context;
}

bool sipshims_awaits_response(const char *call) { return sipshims_find_call(&asked, call) != NULL; }

void sipshims_note_request(struct _belle_sip_message *request, const char *method) {
    const char *call = sipshims_value(request, "Call-ID");
    if (strcmp(method, "SUBSCRIBE") != 0 || !call || sipshims_find_call(&asked, call)) return;
    sipshims_remember_call(&asked, call);
}

/// Reports a response to a key by INFO. Some errors concern only this request.
static void watch_key(const char *call, const char *sequence, int status) {
    static const int passing[] = {408, 481, 491, 500, 503, 0};
    // After a challenge, belle-sip sends it again.
    if (!report_key || status == 401 || status == 407) return;
    bool is_refused = status >= 300;
    for (const int *other = passing; *other; other++)
        if (*other == status) is_refused = false;
    report_key(report_context, call, strtoul(sequence, NULL, 10), is_refused);
}

void sipshims_watch_response(struct _belle_sip_message *response) {
    int status = belle_sip_response_get_status_code((belle_sip_response_t *)response);
    const char *sequence = sipshims_value(response, "CSeq"), *call = sipshims_value(response, "Call-ID");
    if (status < 200 || !sequence || !call) return;
    if (strstr(sequence, " INFO")) return watch_key(call, sequence, status);
    // If belle-sip sends the request again after a challenge, that is a new one.
    uint64_t *place = strstr(sequence, " SUBSCRIBE") ? sipshims_find_call(&asked, call) : NULL;
    if (place) *place = 0;
}
