// SPDX-License-Identifier: GPL-3.0-or-later

// The redirections of calls (RFC 3261, section 8.1.3.4). liblinphone follows the first address alone, wherever it leads.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <dlfcn.h>
#include <string.h>

// The tests link this target without belle-sip.
USES(belle_sip_header_address_get_uri);
USES(belle_sip_header_contact_get_qvalue);
USES(belle_sip_header_create);
USES(belle_sip_message_add_header);
USES(belle_sip_message_get_headers);
USES(belle_sip_message_remove_header);
USES(belle_sip_object_to_string);
USES(belle_sip_parameters_remove_parameter);
USES(belle_sip_response_get_status_code);
USES(belle_sip_response_set_status_code);
USES(belle_sip_uri_headers_clean);

// The phone follows five redirections of a call.
enum { most_contacts = 6, longest_contact = 700 };

/// An address in Contact, with the name of the field, and its preference.
struct contact {
    char *field;
    float preference;
};

/// Leaves of an address what a request may be sent to: with more, belle-sip would send none, and the call would never end.
static belle_sip_header_t *plain_contact(const char *target) {
    static const char *const routing[] = {"maddr", "ttl", "lr", NULL};
    belle_sip_header_t *contact = belle_sip_header_create("Contact", target);
    belle_sip_uri_t *uri = contact ? belle_sip_header_address_get_uri((belle_sip_header_address_t *)contact) : NULL;
    if (!uri) return contact;
    belle_sip_uri_headers_clean(uri);
    for (const char *const *name = routing; *name; name++)
        belle_sip_parameters_remove_parameter((belle_sip_parameters_t *)uri, *name);
    return contact;
}

/// Reads the addresses of a redirection, the preferred ones first (RFC 3261, section 20.10). Returns their number.
static int read_contacts(belle_sip_message_t *response, struct contact contacts[most_contacts]) {
    int count = 0;
    const belle_sip_list_t *element = belle_sip_message_get_headers(response, "Contact");
    for (; element && count < most_contacts; element = element->next) {
        float preference = belle_sip_header_contact_get_qvalue(element->data);
        struct contact contact = {
            belle_sip_object_to_string(element->data), preference < 0 || preference > 1 ? 1 : preference};
        if (!contact.field) continue;
        int place = count++;
        for (; place > 0 && contacts[place - 1].preference < contact.preference; place--)
            contacts[place] = contacts[place - 1];
        contacts[place] = contact;
    }
    return count;
}

/// Leaves the preferred address to which the phone may go. Returns 0, or the status that refuses all.
static int choose_contact(belle_sip_message_t *response) {
    struct contact contacts[most_contacts];
    int count = read_contacts(response, contacts);
    // The far end does not tell where it is.
    int status = 480;
    for (int i = 0; i < count; i++) {
        const char *colon = strchr(contacts[i].field, ':'), *target = colon ? colon + 1 : "";
        target += strspn(target, " ");
        bool is_usable = strlen(target) <= longest_contact;
        if (status == 0) {
            if (is_usable) (void)sipshims_refusal(response, target, sipshims_alternative);
        } else {
            status = is_usable ? sipshims_refusal(response, target, sipshims_redirection) : 400;
            if (status == 0) {
                belle_sip_message_remove_header(response, "Contact");
                belle_sip_message_add_header(response, plain_contact(target));
            }
        }
        belle_sip_free(contacts[i].field);
    }
    return status;
}

void sipshims_check_redirection(struct _belle_sip_message *message) {
    belle_sip_response_t *response = (belle_sip_response_t *)message;
    int status = belle_sip_response_get_status_code(response);
    if (status < 300 || status >= 400) return;
    const char *sequence = sipshims_value(message, "CSeq");
    // Only calls are redirected. As if the server were not there: the registration is tried again later.
    status = sequence && strstr(sequence, "INVITE") ? choose_contact(message) : 503;
    // liblinphone follows no other status.
    belle_sip_response_set_status_code(response, status ? status : 302);
}

// liblinphone looks for the address of a redirection in the response to its last request of the call. If that is not the
// INVITE, as after CANCEL, there may be none.
belle_sip_object_t *_belle_sip_message_get_header_by_type_id(const belle_sip_message_t *message, belle_sip_type_id_t type) {
    static belle_sip_object_t *(*original)(const belle_sip_message_t *, belle_sip_type_id_t);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "_belle_sip_message_get_header_by_type_id");
    return message && original ? original(message, type) : NULL;
}
