// SPDX-License-Identifier: GPL-3.0-or-later

// A call that goes through a relay alone. mediastreamer would send checks from this machine's own addresses to those of the far
// end, answer the far end's, and send sound to it until a way is found. So the sockets of its sound are connected to the relay:
// the kernel drops what others send, and here nothing is sent to anybody else. The program's own functions take precedence over a
// library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "stream.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

// The tests link this target without mediastreamer.
USES(linphone_call_get_stream);

/// An address in the form of IPv6, with its port.
struct place {
    struct in6_addr address;
    in_port_t port;
};

static struct place place_of(const struct sockaddr_storage *address) {
    struct place place = {0};
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *wide = (const struct sockaddr_in6 *)address;
        place.address = wide->sin6_addr;
        place.port = wide->sin6_port;
    } else if (address->ss_family == AF_INET) {
        const struct sockaddr_in *narrow = (const struct sockaddr_in *)address;
        place.address.s6_addr[10] = place.address.s6_addr[11] = 0xff;
        memcpy(&place.address.s6_addr[12], &narrow->sin_addr, sizeof narrow->sin_addr);
        place.port = narrow->sin_port;
    }
    return place;
}

static bool is_same(struct place one, struct place other) {
    return one.port == other.port && memcmp(&one.address, &other.address, sizeof one.address) == 0;
}

/// Returns whether a socket is connected, and to whom.
static bool find_peer(int socket, struct place *peer) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    if (getpeername(socket, (struct sockaddr *)&address, &length) != 0) return false;
    *peer = place_of(&address);
    return true;
}

static bool keep(int socket, const struct sockaddr_storage *relay) {
    struct place peer, place = place_of(relay);
    if (find_peer(socket, &peer)) return is_same(peer, place);
    struct sockaddr_storage own = {0};
    socklen_t length = sizeof own;
    if (getsockname(socket, (struct sockaddr *)&own, &length) != 0) return false;
    if (own.ss_family == AF_INET)
        return relay->ss_family == AF_INET && connect(socket, (const struct sockaddr *)relay, sizeof(struct sockaddr_in)) == 0;
    struct sockaddr_in6 wide = {.sin6_family = AF_INET6, .sin6_port = place.port, .sin6_addr = place.address};
    return connect(socket, (const struct sockaddr *)&wide, sizeof wide) == 0;
}

bool sipshims_keep_to_relay(struct _LinphoneCall *call, const char *address, uint16_t port) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    RtpSession *session = stream ? stream->sessions.rtp_session : NULL;
    if (!session) return false;
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_DGRAM}, *found = NULL;
    if (getaddrinfo(address, service, &hints, &found) != 0) return false;
    struct sockaddr_storage relay = {0};
    memcpy(&relay, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    // oRTP's function for them crashes with a relay (5.3).
    int sound = session->rtp.gs.socket, statistics = session->rtcp.gs.socket;
    return sound >= 0 && keep(sound, &relay) && (statistics < 0 || keep(statistics, &relay));
}

// oRTP's only way to send a datagram. It takes a shorter length for an error.
ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    static ssize_t (*original)(int, const struct msghdr *, int);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "sendmsg");
    struct place peer;
    if (message->msg_name && message->msg_namelen >= sizeof(struct sockaddr_in) && find_peer(socket, &peer)) {
        struct sockaddr_storage target = {0};
        memcpy(&target, message->msg_name, message->msg_namelen < sizeof target ? message->msg_namelen : sizeof target);
        if (!is_same(peer, place_of(&target))) {
            size_t length = 0;
            for (size_t index = 0; index < message->msg_iovlen; index++) length += message->msg_iov[index].iov_len;
            return (ssize_t)length;
        }
    }
    return original(socket, message, flags);
}

void rtp_session_refresh_sockets(RtpSession *session);

// The new sockets would not be connected.
void rtp_session_refresh_sockets(RtpSession *session) {
    static void (*original)(RtpSession *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "rtp_session_refresh_sockets");
    struct place peer;
    if (original && !find_peer(session->rtp.gs.socket, &peer)) original(session);
}
