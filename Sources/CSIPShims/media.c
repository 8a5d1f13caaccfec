// SPDX-License-Identifier: GPL-3.0-or-later

// liblinphone 5.1 crashes at an offer with a medium before the sound that it does not know, and answers others with a
// picture. So it sees the sound and real-time text alone: other media are taken out of what comes in, and are put as refused
// (RFC 3264, section 6) into the places that they had in all that the phone sends in the same call. The program's own
// functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "media.h"
#include "messages.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip.
USES(_belle_sip_message_get_header_by_type_id);
USES(_belle_sip_object_is_instance_of);
USES(belle_sip_body_handler_get_size);
USES(belle_sip_header_content_length_create);
USES(belle_sip_header_content_type_create);
USES(belle_sip_header_content_type_get_subtype);
USES(belle_sip_header_content_type_get_type);
USES(belle_sip_header_via_get_transport);
USES(belle_sip_memory_body_handler_get_buffer);
USES(belle_sip_message_add_header);
USES(belle_sip_message_get_body_handler);
USES(belle_sip_message_is_request);
USES(belle_sip_message_remove_header);
USES(belle_sip_message_set_body);
USES(belle_sip_object_data_get);
USES(belle_sip_object_data_set);
USES(belle_sip_parameters_get_parameter);
USES(belle_sip_request_get_method);
USES(belle_sip_response_get_status_code);
USES(belle_sip_transaction_get_dialog);
USES(belle_sip_transaction_get_request);

/// The layout of the media in a call, kept with a request and with its dialog.
static const char layout_key[] = "touchtone-media-layout";

/// The fields that describe a body.
static const char *const body_fields[] = {
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition", "Content-Language",
};

static sipshims_media_reduction reduce;
static sipshims_media_completion complete;

void sipshims_reduce_sessions(sipshims_media_reduction reduction, sipshims_media_completion completion) {
    reduce = reduction;
    complete = completion;
}

static belle_sip_header_content_type_t *content_type(belle_sip_message_t *message) {
    return sipshims_field(message, belle_sip_header_content_type_t);
}

static bool is_text(const char *text, const char *expected) { return text && strcasecmp(text, expected) == 0; }

static bool is_instance(void *object, belle_sip_type_id_t type) {
    return _belle_sip_object_is_instance_of((belle_sip_object_t *)object, type) != 0;
}

static bool has_type(belle_sip_message_t *message, const char *type, const char *subtype) {
    belle_sip_header_content_type_t *field = content_type(message);
    return field && is_text(belle_sip_header_content_type_get_type(field), type)
           && is_text(belle_sip_header_content_type_get_subtype(field), subtype);
}

/// Returns the bytes of a body and their number; NULL if there are none.
static const char *body_of(belle_sip_message_t *message, size_t *size) {
    belle_sip_body_handler_t *body = belle_sip_message_get_body_handler(message);
    if (!body || !is_instance(body, BELLE_SIP_TYPE_ID(belle_sip_memory_body_handler_t))) return NULL;
    *size = belle_sip_body_handler_get_size(body);
    return *size > 0 ? belle_sip_memory_body_handler_get_buffer((belle_sip_memory_body_handler_t *)body) : NULL;
}

/// Returns a copy of the session description of a message; NULL if it has none.
static char *session_of(belle_sip_message_t *message) {
    size_t size = 0;
    const char *body = has_type(message, "application", "sdp") ? body_of(message, &size) : NULL;
    return body ? strndup(body, size) : NULL;
}

void sipshims_set_body(struct _belle_sip_message *message, const char *text, size_t size) {
    belle_sip_message_set_body(message, text, size);
    belle_sip_message_remove_header(message, "Content-Length");
    belle_sip_message_add_header(message, (belle_sip_header_t *)belle_sip_header_content_length_create(size));
}

static void set_session(belle_sip_message_t *message, const char *text) { sipshims_set_body(message, text, strlen(text)); }

static void remove_body(belle_sip_message_t *message) {
    belle_sip_message_set_body(message, NULL, 0);
    for (size_t i = 0; i < sizeof body_fields / sizeof *body_fields; i++)
        belle_sip_message_remove_header(message, body_fields[i]);
    belle_sip_message_add_header(message, (belle_sip_header_t *)belle_sip_header_content_length_create(0));
}

static bool is_method(belle_sip_message_t *message, const char *method) {
    const char *found = belle_sip_request_get_method((belle_sip_request_t *)message);
    return found && strcmp(found, method) == 0;
}

/// Returns whether a message is a response, or a request that cannot be refused or has to end the call.
static bool is_without_answer(belle_sip_message_t *message) {
    return !belle_sip_message_is_request(message) || is_method(message, "ACK") || is_method(message, "BYE")
           || is_method(message, "CANCEL");
}

static bool is_over_tls(belle_sip_message_t *message) {
    belle_sip_header_via_t *via = sipshims_field(message, belle_sip_header_via_t);
    return via && is_text(belle_sip_header_via_get_transport(via), "TLS");
}

/// Returns whether a body is compressed, which no phone has to understand (RFC 3261, section 20.12).
static bool is_encoded(belle_sip_message_t *message) {
    const char *value = sipshims_value(message, "Content-Encoding");
    return value && *value && strcasecmp(value, "identity") != 0;
}

bool sipshims_has_other_body(belle_sip_message_t *message) {
    belle_sip_body_handler_t *body = belle_sip_message_get_body_handler(message);
    if (!body || belle_sip_body_handler_get_size(body) == 0 || has_type(message, "application", "sdp")) return false;
    const char *value = sipshims_value(message, "Content-Disposition");
    return !value || !strcasestr(value, "handling=optional");
}

bool sipshims_take_session(belle_sip_message_t *message) {
    if (!has_type(message, "x", "parts")) return true;
    const char *boundary = belle_sip_parameters_get_parameter((belle_sip_parameters_t *)content_type(message), "b");
    size_t size = 0;
    const char *body = body_of(message, &size);
    struct sipshims_part part = {0};
    char *copy = body && boundary ? malloc(size) : NULL;
    if (copy) part = sipshims_find_session(memcpy(copy, body, size), size, boundary);
    char *session = part.text ? strndup(part.text, part.length) : NULL;
    free(copy);
    if (session) {
        belle_sip_message_remove_header(message, "Content-Type");
        belle_sip_message_add_header(
            message, (belle_sip_header_t *)belle_sip_header_content_type_create("application", "sdp"));
        set_session(message, session);
    }
    bool is_removed = !session && is_without_answer(message), is_taken = session || is_removed;
    if (is_removed) remove_body(message);
    free(session);
    return is_taken;
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
    // liblinphone crashes at some answers that have no sound.
    else if (!is_offer) remove_body(message);
    if (is_offer && layout)
        belle_sip_object_data_set((belle_sip_object_t *)message, layout_key, layout, free);
    else
        free(layout);
    int status = is_offer && !reduced ? 488 : 0;
    free(reduced);
    return status;
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
