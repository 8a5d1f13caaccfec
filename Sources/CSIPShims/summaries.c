// SPDX-License-Identifier: GPL-3.0-or-later

// Summaries of the messages in a mailbox (RFC 3842), which a registrar sends with NOTIFY, whether or not the phone has
// subscribed to them. They never reach liblinphone, which would make a subscription of each that nobody has asked for.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>

// The tests link this target without belle-sip.
USES(belle_sip_message_get_body);
USES(belle_sip_message_get_body_size);

/// The greatest size of a summary, in bytes; one has some hundred.
enum { longest_summary = 4096 };

static sipshims_summary_report report_summary;
static void *report_context;

void sipshims_watch_summaries(sipshims_summary_report report, void *context) {
    report_summary = report;
    report_context = context;
}

int sipshims_take_summary(struct belle_sip_provider *provider, struct _belle_sip_message *request) {
    // As to anybody else's, until an account has asked for them.
    if (!report_summary || sipshims_is_reading_direct()) return 489;
    const char *body = belle_sip_message_get_body(request);
    size_t size = body ? belle_sip_message_get_body_size(request) : 0;
    if (size > longest_summary) return 413;
    if (size > 0 && !sipshims_is_word(sipshims_value(request, "Content-Type"), "application/simple-message-summary")) return 415;
    const char *to = sipshims_value(request, "To"), *state = sipshims_value(request, "Subscription-State");
    if (!to) return 400;
    struct sipshims_summary summary = {.to = to, .state = state ? state : "", .body = body ? body : "", .size = size};
    int status = report_summary(report_context, &summary);
    if (status != 200 || !sipshims_is_word(state, "terminated")) return status;
    // liblinphone ends its subscription, if it has one.
    return sipshims_is_subscribed(provider, request) ? 0 : status;
}
