// SPDX-License-Identifier: GPL-3.0-or-later

// What a registrar tells with NOTIFY in the subscriptions of the phone (RFC 6665), and the dialogs of extensions (RFC 4235). They
// never reach liblinphone, which would make a subscription of each that nobody has asked for.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip.
USES(_belle_sip_message_get_header_by_type_id);
USES(belle_sip_header_from_get_tag);
USES(belle_sip_header_to_get_tag);
USES(belle_sip_message_get_body);
USES(belle_sip_message_get_body_size);
USES(belle_sip_provider_find_dialog);

static sipshims_dialogs_report report_dialogs;
static void *report_context;

void sipshims_watch_dialogs(sipshims_dialogs_report report, void *context) {
    report_dialogs = report;
    report_context = context;
}

bool sipshims_is_word(const char *text, const char *word) {
    return text && strncasecmp(text, word, strlen(word)) == 0 && strcspn(text, "; \t") == strlen(word);
}

bool sipshims_is_subscribed(struct belle_sip_provider *provider, struct _belle_sip_message *request) {
    belle_sip_header_from_t *from = sipshims_field(request, belle_sip_header_from_t);
    belle_sip_header_to_t *to = sipshims_field(request, belle_sip_header_to_t);
    const char *tag = to ? belle_sip_header_to_get_tag(to) : NULL, *call = sipshims_value(request, "Call-ID");
    const char *notifier = from ? belle_sip_header_from_get_tag(from) : NULL;
    return tag && notifier && call && belle_sip_provider_find_dialog(provider, call, tag, notifier);
}

int sipshims_take_dialogs(struct belle_sip_provider *provider, struct _belle_sip_message *request) {
    // As to anybody else's, until an account has asked for them.
    if (!report_dialogs || sipshims_is_reading_direct()) return 489;
    const char *body = belle_sip_message_get_body(request);
    size_t size = body ? belle_sip_message_get_body_size(request) : 0;
    if (size > sipshims_longest_dialogs) return 413;
    if (size > 0 && !sipshims_is_word(sipshims_value(request, "Content-Type"), "application/dialog-info+xml")) return 415;
    const char *call = sipshims_value(request, "Call-ID"), *state = sipshims_value(request, "Subscription-State");
    if (!call) return 400;
    struct sipshims_dialogs dialogs = {.call = call, .state = state ? state : "", .body = body ? body : "", .size = size};
    int status = report_dialogs(report_context, &dialogs);
    if (status != 200 || !sipshims_is_word(state, "terminated")) return status;
    // liblinphone ends its subscription, if it has one.
    return sipshims_is_subscribed(provider, request) ? 0 : status;
}
