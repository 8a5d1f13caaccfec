// SPDX-License-Identifier: GPL-3.0-or-later

// The way of requests. Each leaves through the server of its account, over the transport of the account; liblinphone would
// send it wherever its address or a field of the far end leads, and with it keys and responses to challenges. The
// program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "media.h"
#include "messages.h"

#include <belle-sip/belle-sip.h>
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <strings.h>

// The tests link this target without belle-sip and liblinphone.
USES(_belle_sip_message_get_header_by_type_id);
USES(belle_sip_header_address_get_uri);
USES(belle_sip_header_call_id_get_call_id);
USES(belle_sip_header_to_get_tag);
USES(belle_sip_message_get_header);
USES(belle_sip_message_is_request);
USES(belle_sip_message_remove_header);
USES(belle_sip_request_get_method);
USES(belle_sip_request_get_uri);
USES(belle_sip_transaction_get_request);
USES(belle_sip_transaction_terminate);
USES(belle_sip_uri_get_host);
USES(belle_sip_uri_get_port);
USES(belle_sip_uri_get_transport_param);
USES(belle_sip_uri_get_user);
USES(belle_sip_uri_is_secure);
USES(belle_sip_uri_parse);

struct belle_sip_channel;

enum { longest_route = 512, most_registrations = 32 };

static sipshims_route find_route;
static void *route_context;
/// The calls from phones.
static struct sipshims_calls direct_calls;

void sipshims_set_routes(sipshims_route find, void *context) {
    find_route = find;
    route_context = context;
}

uint64_t sipshims_hash(const char *text) {
    uint64_t value = 14695981039346656037u;
    for (; *text; text++) value = (value ^ (unsigned char)*text) * 1099511628211u;
    return value;
}

void sipshims_remember_call(struct sipshims_calls *calls, const char *call) {
    enum { most = sizeof calls->hashes / sizeof *calls->hashes };
    calls->hashes[calls->next] = sipshims_hash(call);
    calls->next = (calls->next + 1) % most;
}

uint64_t *sipshims_find_call(struct sipshims_calls *calls, const char *call) {
    uint64_t value = sipshims_hash(call), *end = calls->hashes + sizeof calls->hashes / sizeof *calls->hashes;
    for (uint64_t *place = calls->hashes; place < end; place++)
        if (*place == value) return place;
    return NULL;
}

void sipshims_note_direct_call(const char *call) { sipshims_remember_call(&direct_calls, call); }

static bool is_direct(const char *call) { return sipshims_find_call(&direct_calls, call) != NULL; }

#define FIELD(message, type) \
    ((type *)_belle_sip_message_get_header_by_type_id((message), BELLE_SIP_TYPE_ID(type)))

static const char *call_of(belle_sip_message_t *message) {
    belle_sip_header_call_id_t *field = FIELD(message, belle_sip_header_call_id_t);
    const char *call = field ? belle_sip_header_call_id_get_call_id(field) : NULL;
    return call ? call : "";
}

/// Returns the first address to which a request would go by itself (RFC 3261, section 8.1.2).
static belle_sip_uri_t *target_of(belle_sip_message_t *request) {
    belle_sip_header_route_t *route = FIELD(request, belle_sip_header_route_t);
    return route ? belle_sip_header_address_get_uri((belle_sip_header_address_t *)route)
                 : belle_sip_request_get_uri((belle_sip_request_t *)request);
}

/// Finds the server of one of the accounts whose request it may be.
static bool find(belle_sip_message_t *message, int index, char *address, size_t size) {
    belle_sip_header_from_t *from = FIELD(message, belle_sip_header_from_t);
    belle_sip_uri_t *uri = from ? belle_sip_header_address_get_uri((belle_sip_header_address_t *)from) : NULL;
    const char *user = uri ? belle_sip_uri_get_user(uri) : NULL, *host = uri ? belle_sip_uri_get_host(uri) : NULL;
    return find_route
           && find_route(route_context, call_of(message), user ? user : "", host ? host : "", index, address, size);
}

static const char *transport_of(const belle_sip_uri_t *uri) {
    const char *transport = belle_sip_uri_get_transport_param(uri);
    return belle_sip_uri_is_secure(uri) ? "tls" : transport ? transport : "udp";
}

static bool is_same(const belle_sip_uri_t *uri, const belle_sip_uri_t *other) {
    const char *host = belle_sip_uri_get_host(uri), *other_host = belle_sip_uri_get_host(other);
    return host && other_host && strcasecmp(host, other_host) == 0
           && belle_sip_uri_get_port(uri) == belle_sip_uri_get_port(other)
           && strcasecmp(transport_of(uri), transport_of(other)) == 0;
}

/// The server at which a Call-ID registers. Accounts may share their user and host, so that From does not tell it.
struct registration {
    uint64_t call;
    char route[longest_route];
};

static struct registration registrations[most_registrations];
static size_t next_registration;

static bool is_registration(belle_sip_message_t *request) {
    return strcmp(belle_sip_request_get_method((belle_sip_request_t *)request), "REGISTER") == 0;
}

/// Finds the server to which a REGISTER goes by itself, and remembers it.
static void note_registration(belle_sip_message_t *request, belle_sip_uri_t *target) {
    uint64_t call = sipshims_hash(call_of(request));
    for (size_t i = 0; i < most_registrations; i++)
        if (registrations[i].call == call) return;
    struct registration *registration = &registrations[next_registration];
    for (int index = 0; find(request, index, registration->route, longest_route); index++) {
        belle_sip_uri_t *server = belle_sip_uri_parse(registration->route);
        if (!server || !is_same(target, server)) continue;
        registration->call = call;
        next_registration = (next_registration + 1) % most_registrations;
        return;
    }
    registration->call = 0;
}

bool sipshims_find_route(struct _belle_sip_message *request, char *address, size_t size) {
    uint64_t call = is_registration(request) ? sipshims_hash(call_of(request)) : 0;
    for (size_t i = 0; call && i < most_registrations; i++)
        if (registrations[i].call == call && size >= longest_route) {
            strcpy(address, registrations[i].route);
            return true;
        }
    return find(request, 0, address, size);
}

/// The address to which a request goes.
struct way {
    /// The address that replaces the chosen one; NULL if that is right.
    belle_sip_uri_t *uri;
    const char *transport;
    bool is_refused;
};

/// Finds the way of a request.
static struct way way_of(belle_sip_request_t *request, belle_sip_uri_t *chosen) {
    belle_sip_message_t *message = (belle_sip_message_t *)request;
    if (!chosen) chosen = target_of(message);
    struct way way = {NULL, chosen ? transport_of(chosen) : "udp", false};
    if (!find_route) return way;
    belle_sip_header_to_t *to = FIELD(message, belle_sip_header_to_t);
    bool is_in_dialog = to && belle_sip_header_to_get_tag(to);
    // The far end of such a call has no server.
    if (is_in_dialog && is_direct(call_of(message)) && strcasecmp(way.transport, "udp") == 0) return way;
    char address[longest_route];
    if (chosen && is_registration(message)) note_registration(message, chosen);
    belle_sip_uri_t *route =
        sipshims_find_route(message, address, sizeof address) ? belle_sip_uri_parse(address) : NULL;
    if (!route) return (struct way){NULL, way.transport, true};
    // In a dialog, the route that the servers set is followed (RFC 3261, section 12.2.1.1), over the account's transport.
    if (chosen && (is_in_dialog ? strcasecmp(way.transport, transport_of(route)) == 0 : is_same(chosen, route)))
        return way;
    return (struct way){route, transport_of(route), false};
}

belle_sip_hop_t *belle_sip_hop_new_from_uri(const belle_sip_uri_t *uri);
USES(belle_sip_hop_new_from_uri);
belle_sip_hop_t *belle_sip_stack_get_next_hop(belle_sip_stack_t *stack, belle_sip_request_t *request);

belle_sip_hop_t *belle_sip_stack_get_next_hop(belle_sip_stack_t *stack, belle_sip_request_t *request) {
    static belle_sip_hop_t *(*original)(belle_sip_stack_t *, belle_sip_request_t *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_stack_get_next_hop");
    struct way way = way_of(request, NULL);
    if (way.uri) return belle_sip_hop_new_from_uri(way.uri);
    return original ? original(stack, request) : NULL;
}

/// Removes from a request within a call what made it replace another: liblinphone would repeat it in each session, where it is
/// not allowed (RFC 3891, section 3).
static void remove_replaced(belle_sip_message_t *request, const char *method) {
    belle_sip_header_to_t *to = FIELD(request, belle_sip_header_to_t);
    if (strcmp(method, "INVITE") != 0 || !to || !belle_sip_header_to_get_tag(to)) return;
    const char *required = sipshims_value(request, "Require");
    belle_sip_message_remove_header(request, "Replaces");
    if (required && strcmp(required, "replaces") == 0) belle_sip_message_remove_header(request, "Require");
}

int belle_sip_client_transaction_send_request_to(belle_sip_client_transaction_t *transaction, belle_sip_uri_t *uri) {
    static int (*original)(belle_sip_client_transaction_t *, belle_sip_uri_t *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_client_transaction_send_request_to");
    belle_sip_request_t *request = belle_sip_transaction_get_request((belle_sip_transaction_t *)transaction);
    const char *method = request ? belle_sip_request_get_method(request) : NULL;
    if (!original || !method) return -1;
    // It follows its INVITE.
    if (strcmp(method, "CANCEL") == 0) return original(transaction, uri);
    struct way way = way_of(request, uri);
    if (way.is_refused
        || (strcasecmp(way.transport, "tls") != 0 && sipshims_has_keys((belle_sip_message_t *)request))) {
        belle_sip_transaction_terminate((belle_sip_transaction_t *)transaction);
        return -1;
    }
    remove_replaced((belle_sip_message_t *)request, method);
    sipshims_complete_offer(transaction);
    sipshims_note_request((belle_sip_message_t *)request, method);
    return original(transaction, way.uri ? way.uri : uri);
}

const struct addrinfo *belle_sip_channel_get_peer(struct belle_sip_channel *channel);
USES(belle_sip_channel_get_peer);
const char *belle_sip_channel_get_transport_name(const struct belle_sip_channel *channel);
USES(belle_sip_channel_get_transport_name);
void belle_sip_channel_queue_message(struct belle_sip_channel *channel, belle_sip_message_t *message);

static void check_credentials(struct belle_sip_channel *channel, belle_sip_message_t *message) {
    char route[longest_route];
    struct in6_addr address = {0};
    const struct addrinfo *peer = belle_sip_channel_get_peer(channel);
    bool is_account = sipshims_find_route(message, route, sizeof route);
    if (is_account && peer && peer->ai_addr) {
        sipshims_address_of(peer->ai_addr, &address);
        if (strcmp(belle_sip_request_get_method((belle_sip_request_t *)message), "REGISTER") == 0)
            sipshims_note_server(&address, route);
        if (sipshims_is_server(&address, route)) return;
    }
    belle_sip_message_remove_header(message, "Authorization");
    belle_sip_message_remove_header(message, "Proxy-Authorization");
}

// The last door: whatever sends a message, it leaves here.
void belle_sip_channel_queue_message(struct belle_sip_channel *channel, belle_sip_message_t *message) {
    static void (*original)(struct belle_sip_channel *, belle_sip_message_t *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_channel_queue_message");
    if (strcasecmp(belle_sip_channel_get_transport_name(channel), "TLS") != 0 && sipshims_has_keys(message)) return;
    if (find_route && belle_sip_message_is_request(message)) check_credentials(channel, message);
    if (original) original(channel, message);
}

struct _LinphoneAccount;
struct _LinphoneAddress;
struct _LinphoneProxyConfig;

struct _LinphoneAccount *linphone_core_get_default_account(const struct _LinphoneCore *core);
USES(linphone_core_get_default_account);
struct _LinphoneProxyConfig *linphone_core_get_default_proxy_config(const struct _LinphoneCore *core);
USES(linphone_core_get_default_proxy_config);
struct _LinphoneAccount *linphone_core_lookup_known_account(
    struct _LinphoneCore *core, const struct _LinphoneAddress *address);
struct _LinphoneProxyConfig *linphone_core_lookup_known_proxy(
    struct _LinphoneCore *core, const struct _LinphoneAddress *address);

static bool uses_default_account;

void sipshims_use_default_account(bool uses) { uses_default_account = uses; }

// liblinphone chooses the account of some calls by the address that they go to, or none.
struct _LinphoneAccount *linphone_core_lookup_known_account(
    struct _LinphoneCore *core, const struct _LinphoneAddress *address) {
    static struct _LinphoneAccount *(*original)(struct _LinphoneCore *, const struct _LinphoneAddress *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "linphone_core_lookup_known_account");
    if (uses_default_account) return linphone_core_get_default_account(core);
    return original ? original(core, address) : NULL;
}

struct _LinphoneProxyConfig *linphone_core_lookup_known_proxy(
    struct _LinphoneCore *core, const struct _LinphoneAddress *address) {
    static struct _LinphoneProxyConfig *(*original)(struct _LinphoneCore *, const struct _LinphoneAddress *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "linphone_core_lookup_known_proxy");
    if (uses_default_account) return linphone_core_get_default_proxy_config(core);
    return original ? original(core, address) : NULL;
}
