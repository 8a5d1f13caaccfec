// SPDX-License-Identifier: GPL-3.0-or-later

// The challenges (RFC 3261, section 22) to which the phone responds: those of the server of the account alone, and only for
// a realm of that server. liblinphone would give a response to whoever asks, and end at challenges of other schemes. Of
// several challenges, the first that belle-sip supports is left (RFC 8760, section 2.4): it would try others, and fail.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip.
USES(_belle_sip_message_get_header_by_type_id);
USES(belle_sip_header_address_get_uri);
USES(belle_sip_header_www_authenticate_add_qop);
USES(belle_sip_header_www_authenticate_get_algorithm);
USES(belle_sip_header_www_authenticate_get_nonce);
USES(belle_sip_header_www_authenticate_get_qop);
USES(belle_sip_header_www_authenticate_get_realm);
USES(belle_sip_header_www_authenticate_get_scheme);
USES(belle_sip_header_www_authenticate_set_algorithm);
USES(belle_sip_header_www_authenticate_set_qop);
USES(belle_sip_message_get_headers);
USES(belle_sip_message_remove_header);
USES(belle_sip_message_remove_header_from_ptr);
USES(belle_sip_request_get_method);
USES(belle_sip_response_get_status_code);
USES(belle_sip_response_set_status_code);
USES(belle_sip_transaction_get_request);
USES(belle_sip_uri_get_host);
USES(belle_sip_uri_parse);

enum { longest_route = 512, longest_realm = 256, most_known = 32, most_left = 8 };

/// An address of the server of a route.
struct server {
    char route[longest_route];
    struct in6_addr address;
};

/// A realm of the registrar of a route.
struct realm {
    char route[longest_route];
    char name[longest_realm];
};

// Only the thread of liblinphone uses them; the oldest are overwritten.
static struct server servers[most_known];
static struct realm realms[most_known];
static size_t next_server, next_realm;

bool sipshims_is_server(const struct in6_addr *address, const char *route) {
    for (size_t i = 0; i < most_known; i++)
        if (strcmp(servers[i].route, route) == 0 && memcmp(&servers[i].address, address, sizeof *address) == 0)
            return true;
    return false;
}

void sipshims_note_server(const struct in6_addr *address, const char *route) {
    if (strlen(route) >= longest_route || sipshims_is_server(address, route)) return;
    strcpy(servers[next_server].route, route);
    servers[next_server].address = *address;
    next_server = (next_server + 1) % most_known;
}

static bool is_known(const char *realm, const char *route) {
    for (size_t i = 0; i < most_known; i++)
        if (realms[i].name[0] && strcmp(realms[i].route, route) == 0 && strcmp(realms[i].name, realm) == 0) return true;
    return false;
}

static void note_realm(const char *realm, const char *route) {
    if (strlen(realm) >= longest_realm || strlen(route) >= longest_route || is_known(realm, route)) return;
    strcpy(realms[next_realm].name, realm);
    strcpy(realms[next_realm].route, route);
    next_realm = (next_realm + 1) % most_known;
}

/// Returns whether a realm is the name of the server or of the user's domain, as a proxy has that does not challenge REGISTER.
static bool is_own_name(const char *realm, const char *route, belle_sip_message_t *response) {
    belle_sip_header_from_t *from = sipshims_field(response, belle_sip_header_from_t);
    belle_sip_uri_t *uri = from ? belle_sip_header_address_get_uri((belle_sip_header_address_t *)from) : NULL;
    belle_sip_uri_t *server = belle_sip_uri_parse(route);
    const char *domain = uri ? belle_sip_uri_get_host(uri) : NULL, *host = server ? belle_sip_uri_get_host(server) : NULL;
    return (domain && strcasecmp(domain, realm) == 0) || (host && strcasecmp(host, realm) == 0);
}

belle_sip_client_transaction_t *belle_sip_provider_find_matching_client_transaction(
    belle_sip_provider_t *provider, belle_sip_response_t *response);
USES(belle_sip_provider_find_matching_client_transaction);

/// The sender of a response, as far as challenges are concerned.
struct sender {
    bool is_server, is_registrar;
    char route[longest_route];
};

/// Returns whether belle-sip can respond to a challenge, and puts it into the form that belle-sip needs.
static bool is_supported(belle_sip_header_www_authenticate_t *challenge) {
    const char *algorithm = belle_sip_header_www_authenticate_get_algorithm(challenge);
    if (algorithm && strcasecmp(algorithm, "MD5") != 0 && strcasecmp(algorithm, "SHA-256") != 0) return false;
    bool is_md5 = !algorithm || strcasecmp(algorithm, "MD5") == 0;
    // MD5 is the default (RFC 7616, section 3.3), but belle-sip ends if an earlier challenge had one, and this has none.
    belle_sip_header_www_authenticate_set_algorithm(challenge, is_md5 ? "MD5" : "SHA-256");
    const belle_sip_list_t *protection = belle_sip_header_www_authenticate_get_qop(challenge);
    if (!protection) return true;
    while (protection && strcasecmp(protection->data, "auth") != 0) protection = protection->next;
    if (!protection) return false;
    // belle-sip knows only the first.
    belle_sip_header_www_authenticate_set_qop(challenge, NULL);
    belle_sip_header_www_authenticate_add_qop(challenge, "auth");
    return true;
}

/// Returns whether a text is one of those in a list, and appends it if there is room.
static bool is_repeated(const char *realm, const char *seen[most_left], int *count) {
    for (int i = 0; i < *count; i++)
        if (strcmp(seen[i], realm) == 0) return true;
    if (*count == most_left) return true;
    seen[(*count)++] = realm;
    return false;
}

/// Removes the challenges in a field to which the phone must not respond, or cannot. Returns the number of those that are
/// left, and counts those of others than the server.
static int check_field(
    belle_sip_message_t *response, const char *name, const struct sender *sender, int *foreign) {
    const char *seen[most_left];
    int left = 0;
    const belle_sip_list_t *element = belle_sip_message_get_headers(response, name);
    while (element) {
        belle_sip_header_www_authenticate_t *challenge = element->data;
        element = element->next;
        const char *scheme = belle_sip_header_www_authenticate_get_scheme(challenge);
        const char *realm = belle_sip_header_www_authenticate_get_realm(challenge);
        bool is_digest = scheme && strcasecmp(scheme, "Digest") == 0 && realm && realm[0]
                         && belle_sip_header_www_authenticate_get_nonce(challenge);
        if (is_digest && sender->is_registrar) note_realm(realm, sender->route);
        bool is_own = sender->is_server
                      && (!is_digest || is_known(realm, sender->route) || is_own_name(realm, sender->route, response));
        if (!is_own) (*foreign)++;
        if (!is_own || !is_digest || !is_supported(challenge) || is_repeated(realm, seen, &left))
            belle_sip_message_remove_header_from_ptr(response, (belle_sip_header_t *)challenge);
    }
    return left;
}

struct _LinphoneAuthInfo;

void linphone_auth_info_set_algorithm(struct _LinphoneAuthInfo *info, const char *algorithm);

// liblinphone would use a password only with the algorithm of the first challenge, and not when the server changes it.
void linphone_auth_info_set_algorithm(struct _LinphoneAuthInfo *info, const char *algorithm) {
    (void)info;
    (void)algorithm;
}

void sipshims_check_challenges(struct belle_sip_provider *provider, struct _belle_sip_message *message) {
    belle_sip_response_t *response = (belle_sip_response_t *)message;
    // It would replace the nonce of a challenge.
    belle_sip_message_remove_header(message, "Authentication-Info");
    struct sender sender = {false, false, ""};
    struct in6_addr address;
    // Only who has received the request has seen its branch (RFC 3261, section 17.1.3).
    belle_sip_client_transaction_t *transaction =
        belle_sip_provider_find_matching_client_transaction(provider, response);
    belle_sip_request_t *request =
        transaction ? belle_sip_transaction_get_request((belle_sip_transaction_t *)transaction) : NULL;
    if (request && sipshims_sender(&address)
        && sipshims_find_route((belle_sip_message_t *)request, sender.route, sizeof sender.route)) {
        sender.is_registrar = strcmp(belle_sip_request_get_method(request), "REGISTER") == 0;
        if (sender.is_registrar) sipshims_note_server(&address, sender.route);
        sender.is_server = sipshims_is_server(&address, sender.route);
    }
    int foreign = 0, left = check_field(message, "WWW-Authenticate", &sender, &foreign)
                            + check_field(message, "Proxy-Authenticate", &sender, &foreign);
    int status = belle_sip_response_get_status_code(response);
    // “Security agreement required”: the server asks for something that the phone does not have.
    if ((status == 401 || status == 407) && left == 0)
        belle_sip_response_set_status_code(response, sender.is_server && foreign == 0 ? 494 : 403);
}
