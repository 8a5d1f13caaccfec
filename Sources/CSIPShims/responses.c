// SPDX-License-Identifier: GPL-3.0-or-later

// Responses that do not fit their request, or of which belle-sip would wait for years, and the way of responses from here.

#define _GNU_SOURCE
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <string.h>

// The tests link this target without belle-sip.
USES(_belle_sip_message_get_header_by_type_id);
USES(belle_sip_header_call_id_get_call_id);
USES(belle_sip_header_cseq_get_seq_number);
USES(belle_sip_header_from_get_tag);
USES(belle_sip_header_retry_after_get_retry_after);
USES(belle_sip_header_via_set_rport);
USES(belle_sip_header_retry_after_set_retry_after);
USES(belle_sip_message_remove_header);
USES(belle_sip_response_get_status_code);
USES(belle_sip_response_set_status_code);
USES(belle_sip_transaction_get_request);

// The phone tries again after five minutes at the latest.
enum { longest_retry = 300 };

belle_sip_client_transaction_t *belle_sip_provider_find_matching_client_transaction(
    belle_sip_provider_t *provider, belle_sip_response_t *response);
USES(belle_sip_provider_find_matching_client_transaction);

/// The fields that tell which request a message is, or to which one it responds.
struct identity {
    const char *call, *tag;
    unsigned int sequence;
    bool is_complete;
};

static struct identity identity_of(belle_sip_message_t *message) {
    belle_sip_header_call_id_t *call = sipshims_field(message, belle_sip_header_call_id_t);
    belle_sip_header_cseq_t *sequence = sipshims_field(message, belle_sip_header_cseq_t);
    belle_sip_header_from_t *from = sipshims_field(message, belle_sip_header_from_t);
    struct identity identity = {
        call ? belle_sip_header_call_id_get_call_id(call) : NULL, from ? belle_sip_header_from_get_tag(from) : NULL,
        sequence ? belle_sip_header_cseq_get_seq_number(sequence) : 0, false};
    identity.is_complete = identity.call && identity.tag && sequence;
    return identity;
}

// belle-sip finds the request by the branch and the method alone. It keeps a challenge with another Call-ID for a call that
// it does not find again, and liblinphone crashes with the next account.
bool sipshims_fits_request(struct belle_sip_provider *provider, struct _belle_sip_message *message) {
    belle_sip_client_transaction_t *transaction =
        belle_sip_provider_find_matching_client_transaction(provider, (belle_sip_response_t *)message);
    belle_sip_request_t *request =
        transaction ? belle_sip_transaction_get_request((belle_sip_transaction_t *)transaction) : NULL;
    if (!request) return true;
    struct identity own = identity_of((belle_sip_message_t *)request), other = identity_of(message);
    return own.is_complete && other.is_complete && own.sequence == other.sequence && strcmp(own.call, other.call) == 0
           && strcmp(own.tag, other.tag) == 0;
}

// After some statuses with Retry-After, belle-sip waits without a word.
void sipshims_bound_retry(struct _belle_sip_message *message) {
    belle_sip_header_retry_after_t *field = sipshims_field(message, belle_sip_header_retry_after_t);
    const char *sequence = sipshims_value(message, "CSeq");
    if (!field || !sequence || !strstr(sequence, "REGISTER")) return;
    belle_sip_response_t *response = (belle_sip_response_t *)message;
    int status = belle_sip_response_get_status_code(response);
    // The user is unknown, or the server is not available now.
    if (status == 404) return belle_sip_message_remove_header(message, "Retry-After");
    if (status == 480 || status == 500) belle_sip_response_set_status_code(response, 503);
    int seconds = belle_sip_header_retry_after_get_retry_after(field);
    if (seconds < 0 || seconds > longest_retry) belle_sip_header_retry_after_set_retry_after(field, longest_retry);
}

/// A server may have several ports, and name another one in Via than that of the connection (RFC 3261, section 18.2.2): belle-sip
/// would open a connection of its own to that one, which fails if the server's certificate there is not for its address.
void sipshims_return_over_connection(belle_sip_message_t *request) {
    belle_sip_header_via_t *via = sipshims_field(request, belle_sip_header_via_t);
    uint16_t port = sipshims_sender_port();
    if (via && port > 0 && !sipshims_is_reading_over("UDP")) belle_sip_header_via_set_rport(via, port);
}
