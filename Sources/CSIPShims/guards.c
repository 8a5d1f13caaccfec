// SPDX-License-Identifier: GPL-3.0-or-later

// Guards against messages that crash belle-sip and liblinphone 5.1. The program's own functions take precedence over a
// library's (ld.so(8)), also for calls from libraries: the first two stand in front of the parser.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "messages.h"

#include <ctype.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { most_callers = 64 };

static int guarded = -1;
/// The thread that reads SIP; others read the media.
static pthread_t sip_thread;
// Only the thread that reads the sockets of SIP uses them.
/// The connection that was read last; -1 after a datagram.
static int last_stream = -1;
/// The source of the last REGISTER response on a connection.
static struct in6_addr registrar;
static bool has_registrar;
static struct in6_addr callers[most_callers];
static size_t caller_count;
static bool accepts_all_calls = true;
static bool accepts_direct_calls;
/// The port of this process's own far end; 0 if there is none.
static uint16_t endpoint;

void sipshims_guard(int socket) { guarded = socket; }

void sipshims_guard_streams(void) { sip_thread = pthread_self(); }

void sipshims_accept_calls_from(const struct in6_addr *addresses, size_t count) {
    caller_count = count < most_callers ? count : most_callers;
    memcpy(callers, addresses, caller_count * sizeof *callers);
    accepts_all_calls = false;
}

void sipshims_accept_endpoint(uint16_t port) { endpoint = port; }

void sipshims_accept_all_calls(void) { accepts_all_calls = true; }

void sipshims_accept_direct_calls(bool accepts) { accepts_direct_calls = accepts; }

/// Returns the start of the body, or 0 if the header is not complete or has more than printable lines.
static size_t body_start(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\0' || text[i] == '\n') return 0;
        if (text[i] != '\r') continue;
        if (i + 1 >= length || text[i + 1] != '\n') return 0;
        if (i + 3 < length && text[i + 2] == '\r' && text[i + 3] == '\n') return i + 4;
        i++;
    }
    return 0;
}

bool sipshims_is_field(const char *line, size_t length, const char *name, char short_name) {
    size_t size = strlen(name);
    const char *colon = memchr(line, ':', length);
    if (!colon) return false;
    size_t used = (size_t)(colon - line);
    while (used > 0 && (line[used - 1] == ' ' || line[used - 1] == '\t')) used--;
    return (used == size && strncasecmp(line, name, size) == 0)
           || (used == 1 && short_name && tolower((unsigned char)line[0]) == short_name);
}

bool sipshims_each_line(
    const char *text, size_t length, bool (*accept)(const char *line, size_t length, void *context), void *context) {
    const char *line = memchr(text, '\n', length), *end = text + length;
    while (line && ++line < end && *line != '\r') {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if (!accept(line, (size_t)((next ? next : end) - line), context)) return false;
        line = next;
    }
    return true;
}

static bool accept_length(const char *line, size_t length, void *context) {
    if (!sipshims_is_field(line, length, "Content-Length", 'l')) return true;
    long *found = context;
    if (*found >= 0) return false;
    const char *digit = (const char *)memchr(line, ':', length) + 1, *end = line + length;
    while (digit < end && (*digit == ' ' || *digit == '\t')) digit++;
    long value = 0;
    const char *start = digit;
    for (; digit < end && isdigit((unsigned char)*digit); digit++) {
        value = value * 10 + (*digit - '0');
        if (value > 65535) return false;
    }
    *found = value;
    return digit > start && (digit == end || isspace((unsigned char)*digit));
}

/// Returns whether a field with one address has a tag, which only requests in a dialog have (RFC 3261, section 12.2.1).
static bool has_tag(const char *line, size_t length) {
    bool is_quoted = false, is_bracketed = false;
    for (size_t i = 0; i < length; i++) {
        char character = line[i];
        if (is_quoted && character == '\\') i++;
        else if (character == '"' && !is_bracketed) is_quoted = !is_quoted;
        else if (!is_quoted && (character == '<' || character == '>')) is_bracketed = character == '<';
        if (is_quoted || is_bracketed || character != ';') continue;
        while (i + 1 < length && (line[i + 1] == ' ' || line[i + 1] == '\t')) i++;
        if (length - i > 4 && strncasecmp(line + i + 1, "tag=", 4) == 0) return true;
    }
    return false;
}

static bool accept_in_dialog(const char *line, size_t length, void *context) {
    int *tagged = context;
    if (!sipshims_is_field(line, length, "To", 't')) return true;
    // Of several fields, the libraries may use another one.
    return ++*tagged == 1 && has_tag(line, length);
}

static bool is_new_call(const char *text, size_t length) {
    int tagged = 0;
    return length > 7 && strncmp(text, "INVITE ", 7) == 0
           && (!sipshims_each_line(text, length, accept_in_dialog, &tagged) || tagged == 0);
}

/// Returns the address of a socket; that of IPv4 is mapped.
static struct in6_addr mapped(const struct sockaddr_storage *sender) {
    struct in6_addr address = {0};
    if (sender->ss_family == AF_INET6) {
        address = ((const struct sockaddr_in6 *)sender)->sin6_addr;
    } else if (sender->ss_family == AF_INET) {
        address.s6_addr[10] = address.s6_addr[11] = 0xff;
        memcpy(&address.s6_addr[12], &((const struct sockaddr_in *)sender)->sin_addr, 4);
    }
    return address;
}

static bool is_caller(const struct in6_addr *address) {
    if (accepts_all_calls) return true;
    // As in the filter, the rest of an address of IPv6 belongs to the same network.
    size_t size = IN6_IS_ADDR_V4MAPPED(address) ? 16 : 8;
    for (size_t i = 0; i < caller_count; i++)
        if (memcmp(&callers[i], address, size) == 0) return true;
    return false;
}

static bool is_endpoint(const struct sockaddr_storage *sender) {
    static const uint8_t loopback[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1};
    struct in6_addr address = mapped(sender);
    // The port is at the same place in both families.
    return endpoint != 0 && ntohs(((const struct sockaddr_in *)sender)->sin_port) == endpoint
           && memcmp(&address, loopback, sizeof address) == 0;
}

static bool may_call(const struct sockaddr_storage *sender) {
    struct in6_addr address = mapped(sender);
    return is_caller(&address) || is_endpoint(sender);
}

/// Renames a field that only a registrar may set (RFC 3325, or its older form), so that nobody looks for it. The context is the
/// text.
static bool hide_identity(const char *line, size_t length, void *context) {
    char *text = context;
    if (sipshims_is_field(line, length, "P-Asserted-Identity", 0)
        || sipshims_is_field(line, length, "Remote-Party-ID", 0))
        text[line - text] = 'X';
    return true;
}

static void hide_identities(char *text, size_t length) { sipshims_each_line(text, length, hide_identity, text); }

/// Returns the length of the one message in a datagram, or 0 if it has none.
static size_t message_length(const char *text, size_t length) {
    size_t body = body_start(text, length);
    if (body == 0 || !sipshims_has_start_line(text, length)) return 0;
    long found = -1;
    if (!sipshims_each_line(text, body, accept_length, &found) || !sipshims_is_read_fast(text, body, false)) return 0;
    size_t content = found < 0 ? 0 : (size_t)found;
    return content <= length - body ? body + content : 0;
}

// belle-sip reads datagrams like a stream: one that is cut off makes it misread those after it.
ssize_t recvfrom(
    int socket, void *restrict buffer, size_t length, int flags, struct sockaddr *restrict sender,
    socklen_t *restrict sender_length) {
    static ssize_t (*original)(int, void *restrict, size_t, int, struct sockaddr *restrict, socklen_t *restrict);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "recvfrom");
    if (socket != guarded || (flags & MSG_PEEK)) return original(socket, buffer, length, flags, sender, sender_length);
    struct sockaddr_storage caller = {0};
    socklen_t caller_length = sizeof caller;
    ssize_t count = original(socket, buffer, length, flags, (struct sockaddr *)&caller, &caller_length);
    if (count >= 0 && sender && sender_length) {
        memcpy(sender, &caller, *sender_length < caller_length ? *sender_length : caller_length);
        *sender_length = caller_length;
    }
    last_stream = -1;
    if (count <= 4) return count;
    size_t message = message_length(buffer, (size_t)count);
    if (message > 0 && may_call(&caller)) return (ssize_t)message;
    if (message > 0 && (accepts_direct_calls || !is_new_call(buffer, (size_t)count))) {
        hide_identities(buffer, message);
        return (ssize_t)message;
    }
    // A keep-alive (RFC 5626, section 4.4.1) takes the datagram's place: belle-sip renews a socket without data.
    memcpy(buffer, "\r\n", 2);
    return 2;
}

ssize_t bctbx_recv(int socket, void *buffer, size_t length, int flags);

ssize_t bctbx_recv(int socket, void *buffer, size_t length, int flags) {
    static ssize_t (*original)(int, void *, size_t, int);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "bctbx_recv");
    ssize_t count = original ? original(socket, buffer, length, flags) : -1;
    if (count > 0 && pthread_equal(pthread_self(), sip_thread)) last_stream = socket;
    return count;
}

bool sipshims_take_registrar(struct in6_addr *address) {
    bool found = has_registrar;
    has_registrar = false;
    *address = registrar;
    return found;
}

static bool accept_not_register(const char *line, size_t length, void *context) {
    (void)context;
    if (!sipshims_is_field(line, length, "CSeq", 0)) return true;
    return memmem(line, length, " REGISTER\r", 10) == NULL;
}

/// Notes the sender of a response to REGISTER on a connection.
static void note_registrar(const char *text, size_t length, const struct in6_addr *sender) {
    if (last_stream < 0 || length <= 11 || strncmp(text, "SIP/2.0 200", 11) != 0) return;
    if (sipshims_each_line(text, length, accept_not_register, NULL)) return;
    registrar = *sender;
    has_registrar = true;
}

struct belle_sip_channel;

int belle_sip_channel_process_data(struct belle_sip_channel *channel, unsigned int events);
const struct addrinfo *belle_sip_channel_get_peer(struct belle_sip_channel *channel);
const char *belle_sip_channel_get_transport_name(const struct belle_sip_channel *channel);

// The tests link this target without belle-sip.
USES(belle_sip_channel_get_peer);
USES(belle_sip_channel_get_transport_name);

/// The channel whose messages are being read; NULL if none is.
static struct belle_sip_channel *reading;
/// Whether one of these messages is being handled, which may have parts that are read like messages.
static bool is_handling;

void sipshims_set_handling(bool handles) { is_handling = handles; }

int belle_sip_channel_process_data(struct belle_sip_channel *channel, unsigned int events) {
    static int (*original)(struct belle_sip_channel *, unsigned int);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_channel_process_data");
    reading = channel;
    int result = original ? original(channel, events) : 0;
    reading = NULL;
    return result;
}

void sipshims_address_of(const struct sockaddr *socket, struct in6_addr *address) {
    *address = mapped((const struct sockaddr_storage *)socket);
}

bool sipshims_sender(struct in6_addr *address) {
    const struct addrinfo *peer = reading ? belle_sip_channel_get_peer(reading) : NULL;
    if (!peer || !peer->ai_addr) return false;
    *address = mapped((const struct sockaddr_storage *)peer->ai_addr);
    return true;
}

uint16_t sipshims_sender_port(void) {
    const struct addrinfo *peer = reading ? belle_sip_channel_get_peer(reading) : NULL;
    if (!peer || !peer->ai_addr) return 0;
    bool is_short = peer->ai_addr->sa_family == AF_INET;
    return ntohs(is_short ? ((struct sockaddr_in *)peer->ai_addr)->sin_port : ((struct sockaddr_in6 *)peer->ai_addr)->sin6_port);
}

/// Returns whether the sender of the message that is being read may make calls.
static bool is_reading_caller(void) {
    const struct addrinfo *peer = reading ? belle_sip_channel_get_peer(reading) : NULL;
    return peer && peer->ai_addr && may_call((const struct sockaddr_storage *)peer->ai_addr);
}

bool sipshims_is_reading_direct(void) {
    struct in6_addr sender;
    return sipshims_sender(&sender) && !is_reading_caller();
}

bool sipshims_is_reading_over(const char *transport) {
    return reading && strcasecmp(belle_sip_channel_get_transport_name(reading), transport) == 0;
}

bool sipshims_is_reading_tls(void) {
    return sipshims_is_reading_over("TLS");
}

struct _belle_sip_message;

struct _belle_sip_message *belle_sip_message_parse_raw(const char *text, size_t length, size_t *used);

/// Returns a message that is dropped, in place of one that cannot be read: without a message, belle-sip would not know where
/// the body ends, and lose messages behind it. NULL if the length of the body is unknown.
static struct _belle_sip_message *void_message(
    struct _belle_sip_message *(*parse)(const char *, size_t, size_t *), const char *text, size_t length, size_t *used) {
    char header[64];
    long content = -1;
    if (!sipshims_each_line(text, length, accept_length, &content)) return NULL;
    int size = snprintf(header, sizeof header, "SIP/2.0 100 -\r\nContent-Length: %ld\r\n\r\n", content < 0 ? 0 : content);
    return parse(header, (size_t)size, used);
}

struct _belle_sip_message *belle_sip_message_parse_raw(const char *text, size_t length, size_t *used) {
    static struct _belle_sip_message *(*original)(const char *, size_t, size_t *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_message_parse_raw");
    *used = 0;
    if (!reading || is_handling)
        return original && sipshims_is_read_fast(text, length, true) ? original(text, length, used) : NULL;
    size_t size = 0;
    char *clean = sipshims_clean_header(text, length, &size);
    struct in6_addr sender;
    if (!original || !sipshims_sender(&sender)) {
        free(clean);
        return NULL;
    }
    long content = -1;
    if (!clean || !sipshims_is_read_fast(clean, size, true) || !sipshims_each_line(clean, size, accept_length, &content)
        || !sipshims_begin_message(clean, size, &sender)) {
        free(clean);
        struct _belle_sip_message *nothing = void_message(original, text, length, used);
        *used = nothing ? length : 0;
        return nothing;
    }
    note_registrar(clean, size, &sender);
    if (!is_reading_caller()) {
        hide_identities(clean, size);
        // A method that no one knows.
        if ((last_stream >= 0 || !accepts_direct_calls) && is_new_call(clean, size)) memcpy(clean, "FORBID", 6);
    }
    struct _belle_sip_message *message = original(clean, size, used);
    free(clean);
    if (!message) message = void_message(original, text, length, used);
    // The length of what was read from the connection.
    *used = message ? length : 0;
    return message;
}

struct belle_sip_dialog;
struct _belle_sip_request;

const char *belle_sip_request_get_method(const struct _belle_sip_request *request);

// The tests link this target without belle-sip.
USES(belle_sip_request_get_method);

// belle-sip refuses the report of a transfer that overtakes the response to REFER (491), although it has to expect it
// (RFC 6665, section 4.1.2.4). The far end may then send no more reports, and the transfer would never end.
int belle_sip_dialog_can_accept_request(const struct belle_sip_dialog *dialog, struct _belle_sip_request *request) {
    static int (*original)(const struct belle_sip_dialog *, struct _belle_sip_request *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_dialog_can_accept_request");
    return !original || strcmp(belle_sip_request_get_method(request), "NOTIFY") == 0 || original(dialog, request);
}
