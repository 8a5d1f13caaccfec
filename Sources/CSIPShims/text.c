// SPDX-License-Identifier: GPL-3.0-or-later

// Real-time text in calls (RFC 4103, ITU-T T.140). mediastreamer sends it, but does not read it here: it overruns its stack at
// more than some hundred bytes that are no UTF-8 (text_stream_hexdump, seen in 5.1 and 5.3), reads behind the end of short
// packets, and gives the characters to a chat room, for which liblinphone needs a database. So the packets are taken from
// ortp on their way to mediastreamer. The program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "stream.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <mediastreamer2/mediastream.h>
#include <ortp/ortp.h>

// The tests link this target without liblinphone.
USES(fmtp_get_value);
USES(freemsg);
USES(linphone_call_get_stream);
USES(msgpullup);
USES(rtp_session_enable_jitter_buffer);
USES(rtp_get_payload);
USES(rtp_profile_get_payload_number_from_mime_and_flag);
USES(text_stream_putchar32);

enum {
    text_type = 2,           // of liblinphone's streams
    most_streams = 32,
    most_waiting = 4096,     // characters that were not taken yet
    most_generations = 8,    // of redundant text in a packet; two are usual
    most_at_once = 4000,     // characters
    rate = 400,              // characters in a second; RFC 4103, section 6, has 30 as the usual limit
    new_sequence = 100,      // packets: what comes from further back is a new beginning
    lost = 0xfffd, byte_order_mark = 0xfeff,
};

struct text {
    const RtpSession *session;  // NULL if the entry is free
    const TextStream *stream;
    int plain, redundant;       // the payload types of the text (t140) and of the text with redundancy (red)
    unsigned far_rate;          // the characters in a second that the far end takes (cps); 0 if it does not say so
    bool is_polled;             // whether mediastreamer, which first drops what has come, reads packets
    bool has_begun;
    uint32_t source;            // of the packets (SSRC)
    uint16_t sequence;          // the number of the last packet
    int64_t counted;            // milliseconds of the monotonic clock
    int64_t allowance;          // thousandths of characters
    size_t count;
    uint32_t characters[most_waiting];
};

static struct text texts[most_streams];
static atomic_int text_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

static struct text *find(const RtpSession *session) {
    for (size_t i = 0; i < most_streams; i++)
        if (texts[i].session == session) return &texts[i];
    return NULL;
}

/// Adds a character. Of what comes faster than anybody can read, or is not taken, only the loss is kept.
static void add(struct text *text, uint32_t character) {
    if (character == 0 || character == byte_order_mark) return;
    bool fits = text->allowance >= 1000 && text->count + 1 < most_waiting;
    if (fits)
        text->allowance -= 1000;
    else if (text->count == most_waiting || (text->count > 0 && text->characters[text->count - 1] == lost))
        return;
    text->characters[text->count++] = fits ? character : lost;
}

/// Returns the number of the bytes that follow the first one of a character in UTF-8; -1 if it is none.
static int following(uint8_t first) {
    return first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
}

/// Adds a text in UTF-8, with a sign of loss for each byte that is none.
static void add_all(struct text *text, const uint8_t *bytes, size_t length) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    for (size_t i = 0; i < length;) {
        int rest = following(bytes[i]);
        bool is_valid = rest >= 0 && (size_t)rest < length - i;
        uint32_t character = rest <= 0 ? bytes[i] : bytes[i] & (0x3fu >> rest);
        for (int j = 1; is_valid && j <= rest; j++) {
            is_valid = (bytes[i + (size_t)j] & 0xc0) == 0x80;
            character = character << 6 | (bytes[i + (size_t)j] & 0x3f);
        }
        if (is_valid)
            is_valid = character >= least[rest] && character <= 0x10ffff && (character & 0xfffff800) != 0xd800;
        add(text, is_valid ? character : lost);
        i += is_valid ? (size_t)rest + 1 : 1;
    }
}

/// Reads the text of a packet that has not been read yet: its own, and that of lost packets before it (RFC 2198).
static void read_packet(struct text *text, uint16_t sequence, const uint8_t *bytes, size_t length, bool is_redundant) {
    int missing = text->has_begun ? (int16_t)(uint16_t)(sequence - text->sequence) - 1 : 0;
    if (missing < -new_sequence) text->has_begun = false;
    // It was repeated on the way, or is late.
    else if (missing < 0) return;

    size_t sizes[most_generations], total = 0, generations = 0, position = 0;
    if (is_redundant) {
        for (; position < length && bytes[position] & 0x80; position += 4) {
            if (generations == most_generations || length - position < 4 || (bytes[position] & 0x7f) != text->plain)
                return;
            sizes[generations] = (size_t)((bytes[position + 2] & 3) << 8 | bytes[position + 3]);
            total += sizes[generations++];
        }
        if (position == length || bytes[position++] != text->plain || total > length - position) return;
    }

    // Before the first packet, nothing was read of what it repeats.
    size_t needed = text->has_begun && (size_t)missing < generations ? (size_t)missing : generations;
    if (text->has_begun && (size_t)missing > generations) add(text, lost);
    text->has_begun = true;
    text->sequence = sequence;
    for (size_t i = 0; i < generations; position += sizes[i++])
        if (i >= generations - needed) add_all(text, bytes + position, sizes[i]);
    add_all(text, bytes + position, length - position);
}

/// Reads a packet of a session for text; NULL for none. Returns false if the session is for something else.
static bool take(const RtpSession *session, mblk_t *packet) {
    if (atomic_load(&text_count) == 0) return false;
    pthread_mutex_lock(&lock);
    struct text *text = find(session);
    bool is_text = text != NULL;
    if (is_text) text->is_polled = true;
    // Packets that come before the keys of DTLS are not encrypted.
    if (is_text && packet && sipshims_is_keyed(&text->stream->ms)) {
        int64_t time = now();
        text->allowance += (time - text->counted) * rate;
        text->counted = time;
        if (text->allowance > most_at_once * 1000) text->allowance = most_at_once * 1000;
        msgpullup(packet, (size_t)-1);
        unsigned char *payload = NULL;
        int length = rtp_get_payload(packet, &payload), type = rtp_get_payload_type(packet);
        uint32_t source = rtp_get_ssrc(packet);
        if (source != text->source) text->has_begun = false;
        text->source = source;
        if (length > 0 && payload && type >= 0 && (type == text->plain || type == text->redundant))
            read_packet(text, rtp_get_seqnumber(packet), payload, (size_t)length, type != text->plain);
    }
    pthread_mutex_unlock(&lock);
    return is_text;
}

/// Returns the characters in a second that the far end has stated for a payload type, or 0.
static unsigned stated_rate(RtpProfile *profile, int type) {
    PayloadType *payload = type < 0 ? NULL : rtp_profile_get_payload(profile, type);
    char value[8] = "";
    if (!payload || !payload->send_fmtp || !fmtp_get_value(payload->send_fmtp, "cps", value, sizeof value)) return 0;
    unsigned rate = 0;
    for (const char *digit = value; *digit >= '0' && *digit <= '9'; digit++) rate = rate * 10 + (unsigned)(*digit - '0');
    return rate;
}

/// Notes a session for text, which may have been noted before: a stream that starts again keeps its session.
static void note(const TextStream *stream, RtpProfile *profile) {
    RtpSession *session = stream->ms.sessions.rtp_session;
    pthread_mutex_lock(&lock);
    struct text *text = find(session);
    if (!text && (text = find(NULL))) {
        *text = (struct text){.session = session, .counted = now(), .allowance = most_at_once * 1000};
        atomic_fetch_add(&text_count, 1);
    }
    if (text) {
        // Between packets that are seconds apart, it would hold the first one back until the second.
        rtp_session_enable_jitter_buffer(session, FALSE);
        text->stream = stream;
        text->is_polled = false;
        text->plain = rtp_profile_get_payload_number_from_mime_and_flag(profile, "t140", PAYLOAD_TYPE_FLAG_CAN_RECV);
        text->redundant = rtp_profile_get_payload_number_from_mime_and_flag(profile, "red", PAYLOAD_TYPE_FLAG_CAN_RECV);
        text->far_rate = stated_rate(profile, text->plain);
    }
    pthread_mutex_unlock(&lock);
}

mblk_t *rtp_session_recvm_with_ts(RtpSession *session, uint32_t time) {
    static mblk_t *(*original)(RtpSession *, uint32_t);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "rtp_session_recvm_with_ts");
    mblk_t *packet = original ? original(session, time) : NULL;
    while (take(session, packet) && packet) {
        freemsg(packet);
        packet = original(session, time);
    }
    return packet;
}

TextStream *text_stream_start(
    TextStream *stream, RtpProfile *profile, const char *address, int port, const char *rtcp_address, int rtcp_port,
    int type) {
    static TextStream *(*original)(TextStream *, RtpProfile *, const char *, int, const char *, int, int);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "text_stream_start");
    note(stream, profile);
    return original ? original(stream, profile, address, port, rtcp_address, rtcp_port, type) : NULL;
}

void rtp_session_destroy(RtpSession *session) {
    static void (*original)(RtpSession *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "rtp_session_destroy");
    pthread_mutex_lock(&lock);
    struct text *text = session ? find(session) : NULL;
    if (text) {
        text->session = NULL;
        atomic_fetch_sub(&text_count, 1);
    }
    pthread_mutex_unlock(&lock);
    if (original) original(session);
}

static TextStream *running_stream(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, text_type);
    bool is_ready = stream && stream->type == MSText && stream->state == MSStreamStarted && sipshims_is_keyed(stream);
    return is_ready ? (TextStream *)stream : NULL;
}

bool sipshims_has_text(struct _LinphoneCall *call) {
    TextStream *stream = running_stream(call);
    if (!stream) return false;
    pthread_mutex_lock(&lock);
    struct text *text = find(stream->ms.sessions.rtp_session);
    bool is_polled = text && text->is_polled;
    pthread_mutex_unlock(&lock);
    return is_polled;
}

unsigned sipshims_text_rate(struct _LinphoneCall *call) {
    TextStream *stream = running_stream(call);
    if (!stream) return 0;
    pthread_mutex_lock(&lock);
    struct text *text = find(stream->ms.sessions.rtp_session);
    unsigned rate = text ? text->far_rate : 0;
    pthread_mutex_unlock(&lock);
    return rate;
}

size_t sipshims_take_text(struct _LinphoneCall *call, uint32_t *characters, size_t size) {
    MediaStream *stream = linphone_call_get_stream(call, text_type);
    if (!stream || !stream->sessions.rtp_session) return 0;
    pthread_mutex_lock(&lock);
    struct text *text = find(stream->sessions.rtp_session);
    size_t count = !text ? 0 : text->count < size ? text->count : size;
    if (count > 0) {
        memcpy(characters, text->characters, count * sizeof *characters);
        text->count -= count;
        memmove(text->characters, text->characters + count, text->count * sizeof *characters);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

bool sipshims_send_text(struct _LinphoneCall *call, uint32_t character) {
    TextStream *stream = running_stream(call);
    if (stream) text_stream_putchar32(stream, character);
    return stream != NULL;
}
