// SPDX-License-Identifier: GPL-3.0-or-later

// DTLS-SRTP (RFC 5764) on GnuTLS in place of mediastreamer's engine, which cannot call GnuTLS and OpenSSL: as a server it asks
// for certificates of its own issuer alone, refuses those without a name, and cannot read a ClientHello in two datagrams
// (mediastreamer 5.1 with mbedTLS 2.28). The program's own functions take precedence over a library's (ld.so(8)).
//
// The handshake is on the RTP session, whose keys are for RTCP, too, as with rtcp-mux (RFC 8035). Packets come and time passes
// on the thread of the media, everything else on that of liblinphone.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "stream.h"

#include <gnutls/dtls.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <mediastreamer2/dtls_srtp.h>
#include <mediastreamer2/mediastream.h>
#include <mediastreamer2/ms_srtp.h>

// The tests link this target without mediastreamer.
USES(allocb);
USES(freemsg);
USES(linphone_call_get_stream);
USES(meta_rtp_transport_append_modifier);
USES(meta_rtp_transport_modifier_inject_packet_to_send);
USES(ms_media_stream_sessions_set_srtp_recv_key);
USES(ms_media_stream_sessions_set_srtp_send_key);
USES(msgdsize);
USES(msgpullup);
USES(ortp_event_get_data);
USES(ortp_event_new);
USES(rtp_session_dispatch_event);
USES(rtp_session_get_transports);

enum {
    // A flight has at most ten records; more than a few flights are never under way.
    most_waiting = 32,
    // The greatest payload that a datagram has on every path of IPv6 with some tunnels.
    mtu = 1200,
    // Milliseconds: to the first repetition, and for the whole handshake.
    repetition_time = 100, handshake_time = 60000,
    // Bytes of SRTP's master key and salt (RFC 3711).
    key_size = 16, salt_size = 14, material_size = 2 * (key_size + salt_size),
};

struct packet {
    struct packet *next;
    size_t length;
    uint8_t bytes[];
};

enum state { waiting, shaking_hands, shaken_hands, verified, failed };

struct _MSDtlsSrtpContext {
    pthread_mutex_t mutex;
    MSMediaStreamSessions *sessions;
    MSDtlsSrtpRole role;
    enum state state;
    /// The hash and the fingerprint of the far end's certificate as in a session description (RFC 8122); empty if unknown.
    char fingerprint[256];
    gnutls_certificate_credentials_t credentials;
    gnutls_session_t session;
    RtpTransportModifier *modifier;
    /// The packets that have come and not been read.
    struct packet *packets;
    size_t packet_count;
    /// The number of all packets that have come.
    uint32_t received;
};

static ssize_t send_packet(gnutls_transport_ptr_t pointer, const void *bytes, size_t length) {
    MSDtlsSrtpContext *context = pointer;
    RtpTransport *transport = NULL;
    rtp_session_get_transports(context->sessions->rtp_session, &transport, NULL);
    mblk_t *message = allocb(length, 0);
    memcpy(message->b_wptr, bytes, length);
    message->b_wptr += length;
    // What is not sent is lost on the way, and repeated.
    meta_rtp_transport_modifier_inject_packet_to_send(transport, context->modifier, message, 0);
    freemsg(message);
    return (ssize_t)length;
}

static ssize_t read_packet(gnutls_transport_ptr_t pointer, void *bytes, size_t length) {
    MSDtlsSrtpContext *context = pointer;
    struct packet *packet = context->packets;
    if (!packet) {
        gnutls_transport_set_errno(context->session, EAGAIN);
        return -1;
    }
    if (length > packet->length) length = packet->length;
    memcpy(bytes, packet->bytes, length);
    context->packets = packet->next;
    context->packet_count--;
    free(packet);
    return (ssize_t)length;
}

static int has_packet(gnutls_transport_ptr_t pointer, unsigned milliseconds) {
    (void)milliseconds;
    return ((MSDtlsSrtpContext *)pointer)->packets != NULL;
}

static void keep_packet(MSDtlsSrtpContext *context, const uint8_t *bytes, size_t length) {
    if (context->packet_count == most_waiting) return;
    struct packet *packet = malloc(sizeof *packet + length);
    if (!packet) return;
    packet->next = NULL;
    packet->length = length;
    memcpy(packet->bytes, bytes, length);
    struct packet **last = &context->packets;
    while (*last) last = &(*last)->next;
    *last = packet;
    context->packet_count++;
}

static void end_session(MSDtlsSrtpContext *context) {
    if (context->session) gnutls_deinit(context->session);
    context->session = NULL;
    context->state = waiting;
    while (context->packets) {
        struct packet *packet = context->packets;
        context->packets = packet->next;
        free(packet);
    }
    context->packet_count = 0;
}

/// Returns the hash with a name in a session description; `GNUTLS_DIG_UNKNOWN` for another.
static gnutls_digest_algorithm_t hash_named(const char *name, size_t length) {
    static const struct { const char *name; gnutls_digest_algorithm_t hash; } hashes[] = {
        {"sha-1", GNUTLS_DIG_SHA1}, {"sha-224", GNUTLS_DIG_SHA224}, {"sha-256", GNUTLS_DIG_SHA256},
        {"sha-384", GNUTLS_DIG_SHA384}, {"sha-512", GNUTLS_DIG_SHA512},
    };
    for (size_t index = 0; index < sizeof hashes / sizeof *hashes; index++)
        if (strlen(hashes[index].name) == length && strncasecmp(hashes[index].name, name, length) == 0)
            return hashes[index].hash;
    return GNUTLS_DIG_UNKNOWN;
}

/// Returns whether the far end has the certificate with the fingerprint that it has told.
static bool is_expected(MSDtlsSrtpContext *context) {
    unsigned count = 0;
    const gnutls_datum_t *certificates = gnutls_certificate_get_peers(context->session, &count);
    const char *space = strchr(context->fingerprint, ' ');
    if (!count || !space) return false;
    gnutls_digest_algorithm_t hash = hash_named(context->fingerprint, (size_t)(space - context->fingerprint));
    uint8_t bytes[64];
    size_t length = sizeof bytes;
    if (hash == GNUTLS_DIG_UNKNOWN || gnutls_fingerprint(hash, certificates, bytes, &length) != 0) return false;
    char text[sizeof bytes * 3 + 1] = "";
    for (size_t index = 0; index < length; index++)
        sprintf(text + 3 * index, "%02X%s", bytes[index], index + 1 < length ? ":" : "");
    return strcasecmp(text, space + 1) == 0;
}

static void set_key(MSDtlsSrtpContext *context, MSCryptoSuite suite, bool is_own, const gnutls_datum_t *key,
                    const gnutls_datum_t *salt) {
    uint8_t bytes[key_size + salt_size];
    memcpy(bytes, key->data, key_size);
    memcpy(bytes + key_size, salt->data, salt_size);
    // mediastreamer 5.3, which has a new header, takes the origin of a key and no kind of stream.
#if __has_include(<mediastreamer2/msvideorouter.h>)
    const uint8_t *argument = bytes;
    MSSrtpKeySource what = MSSrtpKeySourceDTLS;
#else
    const char *argument = (const char *)bytes;
    MSSrtpStreamType what = MSSRTP_ALL_STREAMS;
#endif
    (is_own ? ms_media_stream_sessions_set_srtp_send_key : ms_media_stream_sessions_set_srtp_recv_key)(
        context->sessions, suite, argument, sizeof bytes, what);
    gnutls_memset(bytes, 0, sizeof bytes);
}

/// Gives the agreed keys to the media. The certificate has been compared.
static void set_keys(MSDtlsSrtpContext *context) {
    uint8_t material[material_size];
    gnutls_datum_t client_key, client_salt, server_key, server_salt;
    gnutls_srtp_profile_t profile;
    if (gnutls_srtp_get_selected_profile(context->session, &profile) < 0
        || gnutls_srtp_get_keys(context->session, material, sizeof material, &client_key, &client_salt, &server_key,
                                &server_salt) < 0) {
        context->state = failed;
        return;
    }
    context->state = verified;
    MSCryptoSuite suite = profile == GNUTLS_SRTP_AES128_CM_HMAC_SHA1_32 ? MS_AES_128_SHA1_32 : MS_AES_128_SHA1_80;
    bool is_server = context->role == MSDtlsSrtpRoleIsServer;
    set_key(context, suite, !is_server, &client_key, &client_salt);
    set_key(context, suite, is_server, &server_key, &server_salt);
    gnutls_memset(material, 0, sizeof material);
    OrtpEvent *event = ortp_event_new(ORTP_EVENT_DTLS_ENCRYPTION_CHANGED);
    ortp_event_get_data(event)->info.dtls_stream_encrypted = 1;
    rtp_session_dispatch_event(context->sessions->rtp_session, event);
}

static void verify(MSDtlsSrtpContext *context) {
    if (context->state != shaken_hands || !context->fingerprint[0]) return;
    if (is_expected(context)) set_keys(context);
    else context->state = failed;
}

/// Goes on with the handshake, or reads what follows it: the far end repeats its last records if ours were lost.
static void go_on(MSDtlsSrtpContext *context) {
    if (!context->sessions || !context->session) return;
    if (context->state == shaking_hands) {
        int result;
        do result = gnutls_handshake(context->session);
        while (result < 0 && !gnutls_error_is_fatal(result) && context->packets);
        if (result == GNUTLS_E_SUCCESS) context->state = shaken_hands;
        else if (gnutls_error_is_fatal(result)) context->state = failed;
        verify(context);
    }
    uint8_t ignored[2048];
    while (context->state > shaking_hands && context->state != failed && context->packets) {
        ssize_t result = gnutls_record_recv(context->session, ignored, sizeof ignored);
        if (result < 0 && gnutls_error_is_fatal((int)result)) break;
    }
}

static void begin(MSDtlsSrtpContext *context) {
    bool is_server = context->role == MSDtlsSrtpRoleIsServer;
    if (context->session || (!is_server && context->role != MSDtlsSrtpRoleIsClient)) return;
    unsigned flags = GNUTLS_DATAGRAM | GNUTLS_NONBLOCK | (is_server ? GNUTLS_SERVER : GNUTLS_CLIENT | GNUTLS_FORCE_CLIENT_CERT);
    if (gnutls_init(&context->session, flags) != GNUTLS_E_SUCCESS) {
        context->session = NULL;
        context->state = failed;
        return;
    }
    gnutls_session_t session = context->session;
    gnutls_priority_set_direct(session, "NORMAL:-VERS-ALL:+VERS-DTLS1.2", NULL);
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, context->credentials);
    if (is_server) {
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
        // No issuer is expected: a client with another one would send no certificate.
        gnutls_certificate_send_x509_rdn_sequence(session, 1);
    }
    gnutls_srtp_set_profile_direct(session, "SRTP_AES128_CM_HMAC_SHA1_80:SRTP_AES128_CM_HMAC_SHA1_32", NULL);
    gnutls_dtls_set_mtu(session, mtu);
    gnutls_dtls_set_timeouts(session, repetition_time, handshake_time);
    gnutls_transport_set_ptr(session, context);
    gnutls_transport_set_push_function(session, send_packet);
    gnutls_transport_set_pull_function(session, read_packet);
    gnutls_transport_set_pull_timeout_function(session, has_packet);
    context->state = shaking_hands;
    go_on(context);
}

static int pass_on(RtpTransportModifier *modifier, mblk_t *message) {
    (void)modifier;
    return (int)msgdsize(message);
}

/// Takes packets of DTLS out of the stream (RFC 7983).
static int receive(RtpTransportModifier *modifier, mblk_t *message) {
    MSDtlsSrtpContext *context = modifier->data;
    size_t length = msgdsize(message);
    __atomic_add_fetch(&context->received, 1, __ATOMIC_RELAXED);
    if (length < 13 || *message->b_rptr < 20 || *message->b_rptr > 63) return (int)length;
    if (message->b_cont) msgpullup(message, (size_t)-1);
    pthread_mutex_lock(&context->mutex);
    // Before its answer, the far end is a client that has begun.
    if (context->role == MSDtlsSrtpRoleUnset) context->role = MSDtlsSrtpRoleIsServer;
    if (context->sessions && context->state != failed) {
        keep_packet(context, message->b_rptr, length);
        begin(context);
        go_on(context);
    }
    pthread_mutex_unlock(&context->mutex);
    return 0;
}

static void repeat(RtpTransportModifier *modifier) {
    MSDtlsSrtpContext *context = modifier->data;
    pthread_mutex_lock(&context->mutex);
    if (context->state == shaking_hands && gnutls_dtls_get_timeout(context->session) == 0) go_on(context);
    pthread_mutex_unlock(&context->mutex);
}

static void destroy_modifier(RtpTransportModifier *modifier) { free(modifier); }

bool_t ms_dtls_srtp_available(void) { return TRUE; }

MSDtlsSrtpContext *ms_dtls_srtp_context_new(MSMediaStreamSessions *sessions, MSDtlsSrtpParams *parameters) {
    gnutls_datum_t certificate = {(uint8_t *)parameters->pem_certificate, (unsigned)strlen(parameters->pem_certificate)};
    gnutls_datum_t key = {(uint8_t *)parameters->pem_pkey, (unsigned)strlen(parameters->pem_pkey)};
    RtpTransport *transport = NULL;
    rtp_session_get_transports(sessions->rtp_session, &transport, NULL);
    MSDtlsSrtpContext *context = calloc(1, sizeof *context);
    RtpTransportModifier *modifier = calloc(1, sizeof *modifier);
    if (!transport || !context || !modifier
        || gnutls_certificate_allocate_credentials(&context->credentials) != GNUTLS_E_SUCCESS
        || gnutls_certificate_set_x509_key_mem(context->credentials, &certificate, &key, GNUTLS_X509_FMT_PEM)
            != GNUTLS_E_SUCCESS) {
        if (context && context->credentials) gnutls_certificate_free_credentials(context->credentials);
        free(context);
        free(modifier);
        return NULL;
    }
    pthread_mutex_init(&context->mutex, NULL);
    context->sessions = sessions;
    context->role = parameters->role;
    context->modifier = modifier;
    modifier->data = context;
    modifier->t_process_on_send = pass_on;
    modifier->t_process_on_receive = receive;
    modifier->t_process_on_schedule = repeat;
    modifier->t_destroy = destroy_modifier;
    meta_rtp_transport_append_modifier(transport, modifier);
    return context;
}

bool sipshims_has_failed_handshake(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    MSDtlsSrtpContext *context = stream ? stream->sessions.dtls_context : NULL;
    if (!context) return false;
    pthread_mutex_lock(&context->mutex);
    bool has_failed = context->state == failed;
    pthread_mutex_unlock(&context->mutex);
    return has_failed;
}

bool sipshims_is_keyed(const MediaStream *stream) {
    MSDtlsSrtpContext *context = stream->sessions.dtls_context;
    if (!context) return true;
    pthread_mutex_lock(&context->mutex);
    bool is_encrypted = context->state == verified;
    pthread_mutex_unlock(&context->mutex);
    return is_encrypted;
}

uint32_t sipshims_received(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    MSDtlsSrtpContext *context = stream ? stream->sessions.dtls_context : NULL;
    return context ? __atomic_load_n(&context->received, __ATOMIC_RELAXED) : 0;
}

bool sipshims_is_encrypted(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    return stream && stream->sessions.dtls_context && sipshims_is_keyed(stream);
}

void ms_dtls_srtp_set_stream_sessions(MSDtlsSrtpContext *context, MSMediaStreamSessions *sessions) {
    if (!context) return;
    pthread_mutex_lock(&context->mutex);
    context->sessions = sessions;
    pthread_mutex_unlock(&context->mutex);
}

void ms_dtls_srtp_set_role(MSDtlsSrtpContext *context, MSDtlsSrtpRole role) {
    if (!context) return;
    pthread_mutex_lock(&context->mutex);
    if (context->role != role && context->state != verified) {
        end_session(context);
        context->role = role;
    }
    pthread_mutex_unlock(&context->mutex);
}

MSDtlsSrtpRole ms_dtls_srtp_get_role(const MSDtlsSrtpContext *context) { return context->role; }

void ms_dtls_srtp_set_peer_fingerprint(MSDtlsSrtpContext *context, const char *fingerprint) {
    if (!context || strlen(fingerprint) >= sizeof context->fingerprint) return;
    pthread_mutex_lock(&context->mutex);
    strcpy(context->fingerprint, fingerprint);
    verify(context);
    pthread_mutex_unlock(&context->mutex);
}

void ms_dtls_srtp_start(MSDtlsSrtpContext *context) {
    if (!context) return;
    pthread_mutex_lock(&context->mutex);
    begin(context);
    pthread_mutex_unlock(&context->mutex);
}

void ms_dtls_srtp_reset_context(MSDtlsSrtpContext *context) {
    if (!context) return;
    pthread_mutex_lock(&context->mutex);
    end_session(context);
    context->role = MSDtlsSrtpRoleUnset;
    pthread_mutex_unlock(&context->mutex);
}

void ms_dtls_srtp_context_destroy(MSDtlsSrtpContext *context) {
    if (!context) return;
    end_session(context);
    gnutls_certificate_free_credentials(context->credentials);
    pthread_mutex_destroy(&context->mutex);
    free(context);
}
