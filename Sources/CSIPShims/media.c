// SPDX-License-Identifier: GPL-3.0-or-later

// liblinphone 5.1 crashes at an offer with a medium before the sound that it does not know, and answers others with a
// picture. So it sees the sound alone: other media are taken out of what comes in, and are put as refused (RFC 3264,
// section 6) into the places that they had in all that the phone sends in the same call. The program's own functions take
// precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "media.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip.
#pragma weak _belle_sip_message_get_header_by_type_id
#pragma weak _belle_sip_object_is_instance_of
#pragma weak belle_sip_body_handler_get_size
#pragma weak belle_sip_header_content_length_create
#pragma weak belle_sip_header_content_type_get_subtype
#pragma weak belle_sip_header_content_type_get_type
#pragma weak belle_sip_header_get_unparsed_value
#pragma weak belle_sip_header_via_get_transport
#pragma weak belle_sip_memory_body_handler_get_buffer
#pragma weak belle_sip_message_add_header
#pragma weak belle_sip_message_get_body_handler
#pragma weak belle_sip_message_get_header
#pragma weak belle_sip_message_is_request
#pragma weak belle_sip_message_remove_header
#pragma weak belle_sip_message_set_body
#pragma weak belle_sip_object_data_get
#pragma weak belle_sip_object_data_set
#pragma weak belle_sip_request_get_method
#pragma weak belle_sip_response_get_status_code
#pragma weak belle_sip_transaction_get_dialog
#pragma weak belle_sip_transaction_get_request

/// The layout of the media in a call, kept with a request and with its dialog.
static const char layout_key[] = "touchtone-media-layout";

static sipshims_media_reduction reduce;
static sipshims_media_completion complete;

void sipshims_reduce_sessions(sipshims_media_reduction reduction, sipshims_media_completion completion) {
    reduce = reduction;
    complete = completion;
}

static belle_sip_header_content_type_t *content_type(belle_sip_message_t *message) {
    return (belle_sip_header_content_type_t *)_belle_sip_message_get_header_by_type_id(
        message, BELLE_SIP_TYPE_ID(belle_sip_header_content_type_t));
}

static bool is_text(const char *text, const char *expected) { return text && strcasecmp(text, expected) == 0; }

static bool is_instance(void *object, belle_sip_type_id_t type) {
    return _belle_sip_object_is_instance_of((belle_sip_object_t *)object, type) != 0;
}

/// Returns a copy of the session description of a message; NULL if it has none.
static char *session_of(belle_sip_message_t *message) {
    belle_sip_header_content_type_t *type = content_type(message);
    belle_sip_body_handler_t *body = belle_sip_message_get_body_handler(message);
    if (!type || !body) return NULL;
    if (!is_text(belle_sip_header_content_type_get_type(type), "application")
        || !is_text(belle_sip_header_content_type_get_subtype(type), "sdp"))
        return NULL;
    if (!is_instance(body, BELLE_SIP_TYPE_ID(belle_sip_memory_body_handler_t))) return NULL;
    const void *bytes = belle_sip_memory_body_handler_get_buffer((belle_sip_memory_body_handler_t *)body);
    size_t size = belle_sip_body_handler_get_size(body);
    return bytes && size > 0 ? strndup(bytes, size) : NULL;
}

static void set_session(belle_sip_message_t *message, const char *text) {
    belle_sip_message_set_body(message, text, strlen(text));
    belle_sip_message_remove_header(message, "Content-Length");
    belle_sip_message_add_header(
        message, (belle_sip_header_t *)belle_sip_header_content_length_create(strlen(text)));
}

static bool is_method(belle_sip_message_t *message, const char *method) {
    const char *found = belle_sip_request_get_method((belle_sip_request_t *)message);
    return found && strcmp(found, method) == 0;
}

static bool is_over_tls(belle_sip_message_t *message) {
    belle_sip_header_via_t *via = (belle_sip_header_via_t *)_belle_sip_message_get_header_by_type_id(
        message, BELLE_SIP_TYPE_ID(belle_sip_header_via_t));
    return via && is_text(belle_sip_header_via_get_transport(via), "TLS");
}

/// Returns whether a body is compressed, which no phone has to understand (RFC 3261, section 20.12).
static bool is_encoded(belle_sip_message_t *message) {
    belle_sip_header_t *field = belle_sip_message_get_header(message, "Content-Encoding");
    const char *value = field ? belle_sip_header_get_unparsed_value(field) : NULL;
    return value && *value && strcasecmp(value, "identity") != 0;
}

int sipshims_reduce_media(belle_sip_message_t *message) {
    if (!reduce) return 0;
    bool is_request = belle_sip_message_is_request(message) != 0;
    bool is_offer = is_request && (is_method(message, "INVITE") || is_method(message, "UPDATE"));
    char *session = session_of(message);
    if (!session) return 0;
    if (is_offer && is_encoded(message)) {
        free(session);
        return 415;
    }
    char *layout = NULL;
    char *reduced = reduce(session, is_offer, is_over_tls(message), &layout);
    free(session);
    if (reduced) set_session(message, reduced);
    free(reduced);
    if (is_offer && layout)
        belle_sip_object_data_set((belle_sip_object_t *)message, layout_key, layout, free);
    else
        free(layout);
    return is_offer && !reduced ? 488 : 0;
}

/// Puts the refused media of a call into a session description that the phone sends.
static void complete_session(belle_sip_message_t *message, const char *layout) {
    char *session = complete && layout ? session_of(message) : NULL;
    char *completed = session ? complete(session, layout) : NULL;
    if (completed) set_session(message, completed);
    free(completed);
    free(session);
}

static const char *layout_of(void *object) {
    return object ? belle_sip_object_data_get((belle_sip_object_t *)object, layout_key) : NULL;
}

void belle_sip_server_transaction_send_response(
    belle_sip_server_transaction_t *transaction, belle_sip_response_t *response) {
    static void (*original)(belle_sip_server_transaction_t *, belle_sip_response_t *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_server_transaction_send_response");
    belle_sip_transaction_t *base = (belle_sip_transaction_t *)transaction;
    const char *layout = layout_of(belle_sip_transaction_get_request(base));
    belle_sip_dialog_t *dialog = belle_sip_transaction_get_dialog(base);
    if (layout && dialog && belle_sip_response_get_status_code(response) / 100 == 2)
        belle_sip_object_data_set((belle_sip_object_t *)dialog, layout_key, strdup(layout), free);
    complete_session((belle_sip_message_t *)response, layout);
    if (original) original(transaction, response);
}

void sipshims_complete_offer(belle_sip_client_transaction_t *transaction) {
    belle_sip_transaction_t *base = (belle_sip_transaction_t *)transaction;
    belle_sip_request_t *request = belle_sip_transaction_get_request(base);
    if (request)
        complete_session((belle_sip_message_t *)request, layout_of(belle_sip_transaction_get_dialog(base)));
}
