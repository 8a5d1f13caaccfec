// SPDX-License-Identifier: GPL-3.0-or-later

// Who the far end of a call is, as servers say it within the call: when another party was connected, they name that party in
// INVITE or UPDATE, or in the response to one of the phone's.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <string.h>

// The tests link this target without belle-sip.
USES(_belle_sip_message_get_header_by_type_id);
USES(belle_sip_dialog_get_remote_seq_number);
USES(belle_sip_dialog_get_state);
USES(belle_sip_header_cseq_get_method);
USES(belle_sip_header_cseq_get_seq_number);
USES(belle_sip_header_from_get_tag);
USES(belle_sip_header_to_get_tag);
USES(belle_sip_message_is_request);
USES(belle_sip_provider_find_dialog);
USES(belle_sip_response_get_status_code);

belle_sip_client_transaction_t *belle_sip_provider_find_matching_client_transaction(
    belle_sip_provider_t *provider, belle_sip_response_t *response);
USES(belle_sip_provider_find_matching_client_transaction);

static sipshims_identity_report report_identity;
static void *report_context;

void sipshims_watch_identities(sipshims_identity_report report, void *context) {
    report_identity = report;
    report_context = context;
}

static bool may_name(const char *method) {
    return method && (strcmp(method, "INVITE") == 0 || strcmp(method, "UPDATE") == 0);
}

/// Returns whether a request is the next one in a dialog, or a later one (RFC 3261, section 12.2.2).
static bool is_next(belle_sip_dialog_t *dialog, unsigned int sequence) {
    unsigned int last = belle_sip_dialog_get_remote_seq_number(dialog);
    return last == 0 || sequence > last;
}

/// Returns whether a response accepts a request of the phone in a dialog. The answer to a call names its first far end.
static bool is_acceptance(belle_sip_provider_t *provider, belle_sip_dialog_t *dialog, belle_sip_message_t *response) {
    return belle_sip_response_get_status_code((belle_sip_response_t *)response) / 100 == 2
           && belle_sip_dialog_get_state(dialog) == BELLE_SIP_DIALOG_CONFIRMED
           && belle_sip_provider_find_matching_client_transaction(provider, (belle_sip_response_t *)response);
}

void sipshims_watch_identity(struct belle_sip_provider *provider, struct _belle_sip_message *message) {
    belle_sip_header_cseq_t *sequence = sipshims_field(message, belle_sip_header_cseq_t);
    belle_sip_header_from_t *from = sipshims_field(message, belle_sip_header_from_t);
    belle_sip_header_to_t *to = sipshims_field(message, belle_sip_header_to_t);
    const char *call = sipshims_value(message, "Call-ID");
    // A far end may not say who it is, but the server may.
    if (!report_identity || !sequence || !from || !to || !call || sipshims_is_reading_direct()) return;
    if (!may_name(belle_sip_header_cseq_get_method(sequence))) return;
    const char *caller = belle_sip_header_from_get_tag(from), *called = belle_sip_header_to_get_tag(to);
    if (!caller || !called) return;
    bool is_request = belle_sip_message_is_request(message);
    belle_sip_dialog_t *dialog =
        belle_sip_provider_find_dialog(provider, call, is_request ? called : caller, is_request ? caller : called);
    if (!dialog) return;
    if (is_request ? !is_next(dialog, belle_sip_header_cseq_get_seq_number(sequence))
                   : !is_acceptance(provider, dialog, message))
        return;
    struct sipshims_identity identity = {
        .call = call,
        .from = is_request ? sipshims_value(message, "From") : NULL,
        .asserted = sipshims_value(message, "P-Asserted-Identity"),
        .remote_party = sipshims_value(message, "Remote-Party-ID"),
        .privacy = sipshims_value(message, "Privacy"),
    };
    report_identity(report_context, &identity);
}
