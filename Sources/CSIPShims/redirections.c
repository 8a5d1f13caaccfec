// SPDX-License-Identifier: GPL-3.0-or-later

// The redirections of calls (RFC 3261, section 8.1.3.4). liblinphone follows the first address alone, wherever it leads.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <dlfcn.h>
#include <string.h>

// The tests link this target without belle-sip.
#pragma weak belle_sip_header_contact_get_qvalue
#pragma weak belle_sip_header_create
#pragma weak belle_sip_message_add_header
#pragma weak belle_sip_message_get_headers
#pragma weak belle_sip_message_remove_header
#pragma weak belle_sip_object_to_string
#pragma weak belle_sip_response_get_status_code
#pragma weak belle_sip_response_set_status_code

// The phone follows five redirections of a call.
enum { most_contacts = 6, longest_contact = 700 };

/// An address in Contact, with the name of the field, and its preference.
struct contact {
    char *field;
    float preference;
};

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
        if (status == 0) {
            (void)sipshims_refusal(response, target, sipshims_alternative);
        } else {
            status = strlen(target) > longest_contact ? 400 : sipshims_refusal(response, target, sipshims_redirection);
            if (status == 0) {
                belle_sip_message_remove_header(response, "Contact");
                belle_sip_message_add_header(response, belle_sip_header_create("Contact", target));
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
