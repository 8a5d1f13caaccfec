// SPDX-License-Identifier: GPL-3.0-or-later

// Answers to requests that the phone does not take, before liblinphone 5.1 sees them. It would crash at some (SUBSCRIBE
// without Expires), accept others without effect, and offer methods in Allow that it refuses. It would also follow far ends
// to sips: addresses without encryption. The program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "media.h"
#include "messages.h"

#include <arpa/inet.h>
#include <belle-sip/belle-sip.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip.
USES(belle_sip_dialog_create_ack);
USES(belle_sip_dialog_get_local_seq_number);
USES(belle_sip_dialog_get_remote_seq_number);
USES(belle_sip_dialog_get_state);
USES(belle_sip_dialog_is_server);
USES(belle_sip_dialog_send_ack);
USES(belle_sip_header_address_get_absolute_uri);
USES(belle_sip_header_address_get_uri);
USES(belle_sip_header_create);
USES(belle_sip_header_cseq_get_method);
USES(belle_sip_header_cseq_get_seq_number);
USES(belle_sip_header_from_get_tag);
USES(belle_sip_header_get_unparsed_value);
USES(belle_sip_header_replaces_get_call_id);
USES(belle_sip_header_replaces_get_from_tag);
USES(belle_sip_header_replaces_get_to_tag);
USES(belle_sip_header_to_get_tag);
USES(belle_sip_header_via_get_received);
USES(belle_sip_header_via_get_transport);
USES(belle_sip_message_add_header);
USES(belle_sip_message_get_header);
USES(belle_sip_message_is_request);
USES(belle_sip_object_unref);
USES(belle_sip_parameters_has_parameter);
USES(belle_sip_parameters_remove_parameter);
USES(belle_sip_provider_find_dialog);
USES(belle_sip_provider_send_response);
USES(belle_sip_request_get_method);
USES(belle_sip_response_create_from_request);
USES(belle_sip_response_get_status_code);
USES(belle_sip_response_set_status_code);

/// The methods that the phone takes. UPDATE is taken, too, but session timers are kept by INVITE.
static const char allowed[] = "INVITE, ACK, CANCEL, OPTIONS, BYE, REFER, NOTIFY, INFO";

static sipshims_target_check check_target;
static void *check_context;

void sipshims_check_targets(sipshims_target_check check, void *context) {
    check_target = check;
    check_context = context;
}

struct _LinphoneCall *linphone_core_get_call_by_callid(struct _LinphoneCore *core, const char *call);
USES(linphone_core_get_call_by_callid);
int linphone_call_get_dir(const struct _LinphoneCall *call);
USES(linphone_call_get_dir);
belle_sip_server_transaction_t *belle_sip_provider_find_matching_server_transaction(
    belle_sip_provider_t *provider, belle_sip_request_t *request);
USES(belle_sip_provider_find_matching_server_transaction);

static struct _LinphoneCore *core_of_calls;

void sipshims_refuse_merged_calls(struct _LinphoneCore *core) { core_of_calls = core; }

static bool is_one_of(const char *text, const char *const *names) {
    for (; *names; names++)
        if (strcmp(text, *names) == 0) return true;
    return false;
}

const char *sipshims_value(belle_sip_message_t *message, const char *name) {
    belle_sip_header_t *header = belle_sip_message_get_header(message, name);
    return header ? belle_sip_header_get_unparsed_value(header) : NULL;
}

/// Returns whether a text is a number that a program can read into an int. liblinphone crashes at others in Expires.
static bool is_number(const char *text) {
    size_t length = strspn(text, "0123456789");
    return length > 0 && length < 10 && text[length + strspn(text + length, " \t")] == '\0';
}

/// Returns whether the value of Event is an event, with or without parameters.
static bool is_event(const char *text, const char *event) {
    return text && strcspn(text, "; \t") == strlen(event) && strncasecmp(text, event, strlen(event)) == 0;
}

int sipshims_refusal(belle_sip_message_t *message, const char *target, enum sipshims_lead lead) {
    const char *call = sipshims_value(message, "Call-ID");
    return check_target && call && target ? check_target(check_context, call, target, lead) : 0;
}

/// Returns whether the value of Require has an extension that the phone does not support (RFC 3261, section 8.2.2.3).
static bool is_unsupported(const char *extensions) {
    static const char *const supported[] = {"replaces", "timer", "outbound", "100rel", NULL};
    static const char separators[] = ", \t";
    for (const char *name = extensions + strspn(extensions, separators); *name; name += strspn(name, separators)) {
        size_t length = strcspn(name, separators);
        const char *const *known = supported;
        while (*known && (strlen(*known) != length || strncasecmp(*known, name, length) != 0)) known++;
        if (!*known) return true;
        name += length;
    }
    return false;
}

/// Returns the status that refuses a request for a new call with the Call-ID of another call; 0 if there is none. liblinphone
/// would give that call to it, and crash when the other end of the call is over.
static int refusal_of_merged(belle_sip_provider_t *provider, belle_sip_message_t *request) {
    const char *id = sipshims_value(request, "Call-ID");
    struct _LinphoneCall *call = core_of_calls && id ? linphone_core_get_call_by_callid(core_of_calls, id) : NULL;
    // The same request again, for which the answer is known, is another matter.
    if (!call || belle_sip_provider_find_matching_server_transaction(provider, (belle_sip_request_t *)request)) return 0;
    // The phone calls itself, or the request came on two ways (RFC 3261, section 8.2.2.2).
    return linphone_call_get_dir(call) == 0 ? 486 : 482;
}

/// Returns whether a request belongs to a call that is over. liblinphone crashes at one in a call whose first answer came after
/// the user had hung up: it has the far end's dialog, but has forgotten its own.
static bool is_of_ended_call(belle_sip_provider_t *provider, belle_sip_message_t *request) {
    const char *id = sipshims_value(request, "Call-ID");
    return core_of_calls && id && !linphone_core_get_call_by_callid(core_of_calls, id)
           && !belle_sip_provider_find_matching_server_transaction(provider, (belle_sip_request_t *)request);
}

/// Returns whether a request has the same method in CSeq (RFC 3261, section 8.1.1.5).
static bool has_method_of_sequence(belle_sip_message_t *request, const char *method) {
    belle_sip_header_cseq_t *field = sipshims_field(request, belle_sip_header_cseq_t);
    const char *sequence_method = field ? belle_sip_header_cseq_get_method(field) : NULL;
    return sequence_method && (strcmp(sequence_method, method) == 0 || strcmp(method, "FORBID") == 0);
}

/// Returns whether a request names the call that it replaces only in part (RFC 3891, section 3).
static bool has_bad_replaces(belle_sip_message_t *request) {
    if (!belle_sip_message_get_header(request, "Replaces")) return false;
    belle_sip_header_replaces_t *field = sipshims_field(request, belle_sip_header_replaces_t);
    return !field || !belle_sip_header_replaces_get_call_id(field) || !belle_sip_header_replaces_get_to_tag(field)
           || !belle_sip_header_replaces_get_from_tag(field);
}

/// Removes the marks of chat rooms and conferences from the far end's address: liblinphone would make one of the call.
static void make_ordinary(belle_sip_message_t *message) {
    belle_sip_header_contact_t *contact = sipshims_field(message, belle_sip_header_contact_t);
    if (!contact) return;
    belle_sip_parameters_remove_parameter((belle_sip_parameters_t *)contact, "text");
    belle_sip_parameters_remove_parameter((belle_sip_parameters_t *)contact, "isfocus");
}

/// Returns whether a PRACK confirms a provisional response of the phone (RFC 3262, section 7.2), which has the number 1.
static bool confirms_ringing(belle_sip_message_t *request) {
    const char *confirmed = sipshims_value(request, "RAck");
    return confirmed && strncmp(confirmed, "1 ", 2) == 0 && strstr(confirmed, " INVITE");
}

/// Returns the status that refuses an INVITE in place of no call, one that rings here, or, if it means that, one that is answered.
static int refusal_of_replaced(belle_sip_provider_t *provider, belle_sip_message_t *request) {
    belle_sip_header_replaces_t *replaced = sipshims_field(request, belle_sip_header_replaces_t);
    if (!replaced) return 0;
    belle_sip_dialog_t *dialog = belle_sip_provider_find_dialog(
        provider, belle_sip_header_replaces_get_call_id(replaced), belle_sip_header_replaces_get_to_tag(replaced),
        belle_sip_header_replaces_get_from_tag(replaced));
    bool is_confirmed = dialog && belle_sip_dialog_get_state(dialog) == BELLE_SIP_DIALOG_CONFIRMED;
    if (!dialog || (!is_confirmed && belle_sip_dialog_is_server(dialog))) return 481;
    return is_confirmed && belle_sip_parameters_has_parameter((belle_sip_parameters_t *)replaced, "early-only") ? 486 : 0;
}

/// Returns whether INFO has something else than a key, which is all that the phone takes of it.
static bool is_other_information(belle_sip_message_t *request) {
    const char *type = sipshims_value(request, "Content-Type");
    return type && strncasecmp(type, "application/dtmf", 16) != 0;
}

/// Returns the status that refuses an UPDATE which belongs to no call, or is older than another request in it (RFC 3261,
/// section 12.2.2); 0 if there is none. liblinphone accepts both.
static int refusal_of_update(belle_sip_provider_t *provider, belle_sip_message_t *request) {
    belle_sip_header_from_t *from = sipshims_field(request, belle_sip_header_from_t);
    belle_sip_header_to_t *to = sipshims_field(request, belle_sip_header_to_t);
    belle_sip_header_cseq_t *sequence = sipshims_field(request, belle_sip_header_cseq_t);
    const char *call = sipshims_value(request, "Call-ID"), *caller = from ? belle_sip_header_from_get_tag(from) : NULL;
    if (!call || !caller || !to || !sequence) return 481;
    belle_sip_dialog_t *dialog =
        belle_sip_provider_find_dialog(provider, call, belle_sip_header_to_get_tag(to), caller);
    if (!dialog) return 481;
    bool is_old = belle_sip_header_cseq_get_seq_number(sequence) < belle_sip_dialog_get_remote_seq_number(dialog);
    // The same request again gets its response again.
    bool is_repeated = belle_sip_provider_find_matching_server_transaction(provider, (belle_sip_request_t *)request);
    return is_old && !is_repeated ? 500 : 0;
}

/// An answer to a request; without a status, liblinphone handles the request.
struct answer {
    int status;
    /// A field, or NULL, and its value.
    const char *field, *value;
};

/// Returns whether belle-sip has read no address in "To", as in "<sip:d@e>": liblinphone would crash in the call.
static bool has_no_addressee(belle_sip_message_t *request) {
    belle_sip_header_address_t *to = (belle_sip_header_address_t *)sipshims_field(request, belle_sip_header_to_t);
    return !to || (!belle_sip_header_address_get_uri(to) && !belle_sip_header_address_get_absolute_uri(to));
}

/// Returns the answer to a request for which nobody has to be asked.
static struct answer answer_to(
    belle_sip_provider_t *provider, belle_sip_message_t *request, const char *method, bool is_in_dialog,
    bool has_session) {
    static const char *const taken[] = {
        "INVITE", "ACK", "CANCEL", "OPTIONS", "BYE", "REFER", "NOTIFY", "INFO", "UPDATE", "PRACK", NULL,
    };
    static const char *const known[] = {"MESSAGE", "SUBSCRIBE", "PUBLISH", "REGISTER", NULL};
    static const char *const with_offer[] = {"INVITE", "UPDATE", NULL};
    static const char *const of_calls[] = {"BYE", "NOTIFY", "INFO", "UPDATE", "PRACK", NULL};
    struct answer none = {0};
    if (strcmp(method, "ACK") == 0) return (struct answer){sipshims_reduce_media(request), NULL, NULL};
    if (!has_method_of_sequence(request, method)) return (struct answer){400, NULL, NULL};
    // The name that the guard of connections gives to a call that is not allowed.
    if (strcmp(method, "FORBID") == 0) return (struct answer){403, NULL, NULL};
    if (is_one_of(method, known)) return (struct answer){405, "Allow", allowed};
    if (!is_one_of(method, taken)) return (struct answer){501, "Allow", allowed};
    const char *expires = sipshims_value(request, "Expires");
    if (expires && !is_number(expires)) return (struct answer){400, NULL, NULL};
    if (strcmp(method, "NOTIFY") == 0 && !is_event(sipshims_value(request, "Event"), "refer")) {
        const char *event = sipshims_value(request, "Event");
        int status = is_event(event, "message-summary") ? sipshims_take_summary(provider, request)
                     : is_event(event, "dialog")        ? sipshims_take_dialogs(provider, request)
                                                        : 489;
        return (struct answer){status, status == 489 ? "Allow-Events" : NULL, "refer, message-summary, dialog"};
    }
    if (!is_in_dialog && is_one_of(method, of_calls)) return (struct answer){481, NULL, NULL};
    bool is_cancel = strcmp(method, "CANCEL") == 0;
    if (is_in_dialog && !is_cancel && is_of_ended_call(provider, request)) return (struct answer){481, NULL, NULL};
    int refusal = strcmp(method, "UPDATE") == 0 ? refusal_of_update(provider, request) : 0;
    if (refusal != 0) return (struct answer){refusal, NULL, NULL};
    if (strcmp(method, "PRACK") == 0) return confirms_ringing(request) ? none : (struct answer){481, NULL, NULL};
    if (strcmp(method, "INFO") == 0 && is_other_information(request))
        return (struct answer){415, "Accept", "application/dtmf-relay"};
    if (!is_in_dialog && strcmp(method, "OPTIONS") == 0) return (struct answer){200, "Allow", allowed};
    if (!has_session || (is_one_of(method, with_offer) && sipshims_has_other_body(request)))
        return (struct answer){415, "Accept", "application/sdp, multipart/mixed"};
    if (has_bad_replaces(request) || has_no_addressee(request)) return (struct answer){400, NULL, NULL};
    int merged = !is_in_dialog && strcmp(method, "INVITE") == 0 ? refusal_of_merged(provider, request) : 0;
    if (merged != 0) return (struct answer){merged, NULL, NULL};
    // As if the medium did not exist: RFC 4568, section 7, forbids keys that others can read.
    if (!sipshims_is_reading_tls() && !sipshims_remove_open_keys(request)) return (struct answer){488, NULL, NULL};
    const char *required = sipshims_value(request, "Require");
    if (strcmp(method, "INVITE") == 0 && required && is_unsupported(required))
        return (struct answer){420, "Unsupported", required};
    int replaced = !is_in_dialog && strcmp(method, "INVITE") == 0 ? refusal_of_replaced(provider, request) : 0;
    if (replaced != 0) return (struct answer){replaced, NULL, NULL};
    if (is_in_dialog && strcmp(method, "REFER") == 0) {
        int status = sipshims_refusal(request, sipshims_value(request, "Refer-To"), sipshims_transfer);
        // RFC 5630, section 4: the warning says why.
        if (status == 416) return (struct answer){416, "Warning", "380 touchtone \"SIPS Not Allowed\""};
        return (struct answer){status, NULL, NULL};
    }
    int status = sipshims_reduce_media(request);
    if (status == 415) return (struct answer){415, "Accept-Encoding", "identity"};
    return (struct answer){status, NULL, NULL};
}

/// Returns whether a message has the fields without which it cannot even be refused.
static bool is_complete(belle_sip_message_t *message) {
    static const char *const needed[] = {"Via", "From", "To", "Call-ID", "CSeq", NULL};
    for (const char *const *name = needed; *name; name++)
        if (!belle_sip_message_get_header(message, *name)) return false;
    return true;
}

/// Returns whether responses to a request go back to its sender, over the same transport: they have keys, too.
static bool returns_to_sender(belle_sip_message_t *request) {
    belle_sip_header_via_t *via = sipshims_field(request, belle_sip_header_via_t);
    const char *transport = via ? belle_sip_header_via_get_transport(via) : NULL;
    if (!transport || !sipshims_is_reading_over(transport)) return false;
    const char *received = belle_sip_header_via_get_received(via);
    struct in6_addr sender, address;
    char mapped[64];
    if (!received) return true;
    snprintf(mapped, sizeof mapped, "%s%s", strchr(received, ':') ? "" : "::ffff:", received);
    return sipshims_sender(&sender) && inet_pton(AF_INET6, mapped, &address) == 1
           && memcmp(&sender, &address, sizeof sender) == 0;
}

/// Answers a request that the phone does not take. Returns whether it did.
static bool is_answered(belle_sip_provider_t *provider, belle_sip_message_t *message, bool has_session) {
    belle_sip_header_to_t *to = sipshims_field(message, belle_sip_header_to_t);
    const char *method = belle_sip_request_get_method((belle_sip_request_t *)message);
    if (!to || !method) return false;
    struct answer answer =
        answer_to(provider, message, method, belle_sip_header_to_get_tag(to) != NULL, has_session);
    if (answer.status == 0) return false;
    belle_sip_response_t *response =
        belle_sip_response_create_from_request((belle_sip_request_t *)message, answer.status);
    if (!response) return false;
    belle_sip_message_t *fields = (belle_sip_message_t *)response;
    if (answer.field) belle_sip_message_add_header(fields, belle_sip_header_create(answer.field, answer.value));
    if (answer.status == 200 && strcmp(method, "OPTIONS") == 0) {
        belle_sip_message_add_header(fields, belle_sip_header_create("Accept", "application/sdp"));
        belle_sip_message_add_header(fields, belle_sip_header_create("Supported", "replaces"));
    }
    belle_sip_provider_send_response(provider, response);
    return true;
}

/// Whether an answer to a call of the phone is being handled.
static bool is_handling_answer;

// liblinphone hangs up a call whose answer crosses its CANCEL without confirming the answer (RFC 3261, section 13.2.2.4),
// which the far end then repeats.
belle_sip_request_t *belle_sip_dialog_create_request(belle_sip_dialog_t *dialog, const char *method) {
    static belle_sip_request_t *(*original)(belle_sip_dialog_t *, const char *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_dialog_create_request");
    if (is_handling_answer && strcmp(method, "BYE") == 0) {
        is_handling_answer = false;
        belle_sip_request_t *ack =
            belle_sip_dialog_create_ack(dialog, belle_sip_dialog_get_local_seq_number(dialog));
        if (ack) belle_sip_dialog_send_ack(dialog, ack);
    }
    return original ? original(dialog, method) : NULL;
}

/// Returns whether a response answers a call.
static bool is_answer(belle_sip_message_t *response) {
    const char *sequence = sipshims_value(response, "CSeq");
    return sequence && strstr(sequence, " INVITE")
           && belle_sip_response_get_status_code((belle_sip_response_t *)response) / 100 == 2;
}

void belle_sip_provider_dispatch_message(belle_sip_provider_t *provider, belle_sip_message_t *message);

void belle_sip_provider_dispatch_message(belle_sip_provider_t *provider, belle_sip_message_t *message) {
    static void (*original)(belle_sip_provider_t *, belle_sip_message_t *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_provider_dispatch_message");
    if (!is_complete(message)
        || !(belle_sip_message_is_request(message) ? returns_to_sender(message) : sipshims_fits_request(provider, message)))
        return belle_sip_object_unref(message);
    sipshims_set_handling(true);
    sipshims_use_default_account(false);
    bool is_request = belle_sip_message_is_request(message), has_session = sipshims_take_session(message);
    make_ordinary(message);
    if (is_request) {
        sipshims_return_over_connection(message);
    } else {
        sipshims_check_redirection(message);
        sipshims_bound_retry(message);
        sipshims_check_challenges(provider, message);
        // liblinphone refuses an answer without the keys of its offer.
        if (!sipshims_is_reading_tls()) (void)sipshims_remove_open_keys(message);
        sipshims_reduce_media(message);
        sipshims_watch_response(message);
        is_handling_answer = is_answer(message);
    }
    sipshims_join_identities(message);
    sipshims_watch_identity(provider, message);
    const char *call = sipshims_value(message, "Call-ID");
    if (is_request && call && sipshims_is_reading_direct()) sipshims_note_direct_call(call);
    if (is_request && is_answered(provider, message, has_session)) belle_sip_object_unref(message);
    else if (original) original(provider, message);
    is_handling_answer = false;
    sipshims_set_handling(false);
}

belle_sip_header_allow_t *belle_sip_header_allow_create(const char *methods) {
    static belle_sip_header_allow_t *(*original)(const char *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_header_allow_create");
    (void)methods;
    return original ? original(allowed) : NULL;
}
