// SPDX-License-Identifier: GPL-3.0-or-later

// Tones of keys for as long as the key is held (RFC 4733). mediastreamer fixes the length of an event at its start. Here,
// each event starts with the greatest length, and two functions of ortp, which mediastreamer calls for each packet in
// the thread of the media, end it earlier. The program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "stream.h"

#include <dlfcn.h>
#include <pthread.h>
#include <strings.h>
#include <time.h>

#include <mediastreamer2/mediastream.h>
#include <mediastreamer2/msrtp.h>
#include <ortp/telephonyevents.h>

// The tests link this target without liblinphone.
USES(linphone_call_get_stream);
USES(ms_filter_call_method);

enum {
    shortest_time = 80,       // milliseconds
    longest_time = 60000,     // milliseconds
    shortest_pause = 65,      // milliseconds (ETSI ES 201 235-2)
    lost_after = 500,         // milliseconds without a packet or an end: the stream was replaced
    end_packets = 3,          // RFC 4733, section 2.5.1.4
    most_tones = 32,
};

struct tone {
    const RtpSession *session;  // null if the entry is free
    MSFilter *sender;
    uint32_t rate;              // timestamp units a second
    uint32_t event_rate;        // units of the event's own clock a second
    uint32_t length;            // units after which the event ends
    uint32_t earlier_segments;  // units
    uint32_t reported;          // units of this segment (RFC 4733, section 2.5.1.3)
    int ends;                   // packets sent with the end bit
    bool is_over;               // only the pause after the event is left
    uint32_t pause_end;         // timestamp of the sound
    int64_t lost_at;            // milliseconds of the monotonic clock
    int64_t begun_by;           // milliseconds of the monotonic clock
};

static struct tone tones[most_tones];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

static uint32_t units(const struct tone *tone, int milliseconds) {
    return (uint32_t)((uint64_t)tone->rate * (uint64_t)milliseconds / 1000);
}

static struct tone *find(const RtpSession *session) {
    for (size_t i = 0; i < most_tones; i++)
        if (tones[i].session == session) return &tones[i];
    return NULL;
}

static struct tone *unused(void) {
    int64_t time = now();
    for (size_t i = 0; i < most_tones; i++)
        if (!tones[i].session || tones[i].lost_at < time) return &tones[i];
    return NULL;
}

static const PayloadType *sent_payload(const RtpSession *session) {
    int type = session->snd.pt;
    if (!session->snd.profile || type < 0 || type >= RTP_PROFILE_MAX_PAYLOADS) return NULL;
    return session->snd.profile->payload[type];
}

static uint32_t clock_rate(const RtpSession *session) {
    const PayloadType *payload = sent_payload(session);
    return payload && payload->clock_rate > 0 ? (uint32_t)payload->clock_rate : 0;
}

/// Returns the clock rate of the events, which may differ from that of the sound: many far ends have only events of 8,000
/// hertz beside Opus.
static uint32_t event_clock_rate(const RtpSession *session) {
    int type = session->tev_send_pt;
    if (!session->snd.profile || type < 0 || type >= RTP_PROFILE_MAX_PAYLOADS) return 0;
    const PayloadType *payload = session->snd.profile->payload[type];
    return payload && payload->clock_rate > 0 ? (uint32_t)payload->clock_rate : 0;
}

/// Returns whether the pause after an event has ended, and some sound was sent in it.
///
/// A far end may hear the next key only after other packets, and one that makes tones of the events needs the pause.
static bool is_pause_over(const struct tone *tone, const RtpSession *session) {
    return tone->is_over && (int32_t)(session->rtp.snd_last_ts - tone->pause_end) >= 0;
}

bool sipshims_has_stream(struct _LinphoneCall *call) { return linphone_call_get_stream(call, 0) != NULL; }

bool sipshims_has_events(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    if (!stream || !stream->sessions.rtp_session) return true;
    return event_clock_rate(stream->sessions.rtp_session) > 0;
}

// mediastreamer makes tones for these formats alone: others distort them.
bool sipshims_carries_tones(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    const PayloadType *payload =
        stream && stream->sessions.rtp_session ? sent_payload(stream->sessions.rtp_session) : NULL;
    return payload && payload->mime_type
           && (strcasecmp(payload->mime_type, "PCMA") == 0 || strcasecmp(payload->mime_type, "PCMU") == 0);
}

bool sipshims_can_send(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    if (!stream || !stream->sessions.rtp_session) return true;
    const PayloadType *payload = sent_payload(stream->sessions.rtp_session);
    return !payload || payload->flags & PAYLOAD_TYPE_FLAG_CAN_SEND;
}

bool sipshims_start_tone(struct _LinphoneCall *call, char key, int milliseconds) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    if (!stream || !stream->rtpsend || !stream->sessions.rtp_session) return false;
    const RtpSession *session = stream->sessions.rtp_session;
    uint32_t rate = clock_rate(session);
    if (rate == 0) return false;

    pthread_mutex_lock(&lock);
    struct tone *tone = find(session);
    bool is_busy = tone && tone->sender == stream->rtpsend && now() <= tone->lost_at && !is_pause_over(tone, session)
        && !(tone->reported == 0 && tone->earlier_segments == 0 && now() >= tone->begun_by);
    if (!tone) tone = unused();
    if (is_busy || !tone) {
        pthread_mutex_unlock(&lock);
        return false;
    }
    uint32_t event_rate = event_clock_rate(session);
    *tone = (struct tone){
        .session = session, .sender = stream->rtpsend, .rate = rate, .event_rate = event_rate ? event_rate : rate};
    int time = milliseconds <= 0 ? longest_time : milliseconds < shortest_time ? shortest_time : milliseconds;
    tone->length = units(tone, time);
    tone->lost_at = now() + time + lost_after;
    tone->begun_by = now() + lost_after;
    int longest = (int)units(tone, longest_time);
    // mediastreamer locks its filter, as it does before it calls the functions below.
    pthread_mutex_unlock(&lock);
    ms_filter_call_method(stream->rtpsend, MS_RTP_SEND_SET_DTMF_DURATION, &longest);
    if (ms_filter_call_method(stream->rtpsend, MS_RTP_SEND_SEND_DTMF, &key) == 0) return true;
    sipshims_stop_tone(call);
    return false;
}

enum sipshims_tone sipshims_started_tone(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    enum sipshims_tone result = SIPSHIMS_TONE_LOST;
    pthread_mutex_lock(&lock);
    const struct tone *tone = stream ? find(stream->sessions.rtp_session) : NULL;
    if (tone && tone->sender == stream->rtpsend) {
        if (tone->reported > 0 || tone->earlier_segments > 0 || tone->is_over) result = SIPSHIMS_TONE_SENT;
        // A new stream may have the address of the old one.
        else if (now() < tone->begun_by) result = SIPSHIMS_TONE_WAITS;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void sipshims_stop_tone(struct _LinphoneCall *call) {
    MediaStream *stream = linphone_call_get_stream(call, 0);
    if (!stream || !stream->sessions.rtp_session) return;
    pthread_mutex_lock(&lock);
    struct tone *tone = find(stream->sessions.rtp_session);
    if (tone && !tone->is_over) {
        tone->length = units(tone, shortest_time);
        tone->lost_at = now() + shortest_time + lost_after;
    }
    pthread_mutex_unlock(&lock);
}

mblk_t *rtp_session_create_telephone_event_packet(RtpSession *session, int is_first) {
    static mblk_t *(*original)(RtpSession *, int);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "rtp_session_create_telephone_event_packet");
    pthread_mutex_lock(&lock);
    struct tone *tone = find(session);
    bool is_over = tone && tone->ends == end_packets;
    if (is_over) {
        tone->is_over = true;
        // The timestamp of an event's packets is that of its segment's start.
        tone->pause_end = session->rtp.snd_last_ts + tone->reported + units(tone, shortest_pause);
        tone->lost_at = now() + lost_after;
    }
    // The marker belongs to the first segment only.
    if (tone && tone->earlier_segments > 0) is_first = 0;
    pthread_mutex_unlock(&lock);
    // Without a packet, mediastreamer ends the event and continues with the microphone.
    mblk_t *packet = is_over || !original ? NULL : original(session, is_first);
    if (!packet && !is_over) {
        // The far end accepts no telephone events.
        pthread_mutex_lock(&lock);
        tone = find(session);
        if (tone) {
            tone->is_over = true;
            tone->pause_end = session->rtp.snd_last_ts;
        }
        pthread_mutex_unlock(&lock);
    }
    return packet;
}

/// Returns a time of the sound's clock in units of the event's clock (RFC 4733, section 2.3.5).
static uint64_t event_units(const struct tone *tone, uint32_t time) {
    return (uint64_t)time * tone->event_rate / tone->rate;
}

/// Decides the end bit and the duration of a packet. Returns whether the next one starts a segment.
static bool shape(struct tone *tone, int *is_end, uint16_t *duration) {
    // mediastreamer counts 16 bits of the sound's clock.
    uint16_t step = (uint16_t)(*duration - tone->reported);
    bool is_over = tone->reported > 0 && tone->earlier_segments + tone->reported >= tone->length;
    if (tone->ends > 0 || is_over) {
        tone->ends++;
        *is_end = 1;
        *duration = (uint16_t)event_units(tone, tone->reported);
        return false;
    }
    tone->reported += step;
    *duration = (uint16_t)event_units(tone, tone->reported);
    if (event_units(tone, tone->reported + step) <= UINT16_MAX) return false;
    tone->earlier_segments += tone->reported;
    tone->reported = 0;
    return true;
}

int rtp_session_add_telephone_event(
    RtpSession *session, mblk_t *packet, uint8_t event, int is_end, uint8_t volume, uint16_t duration) {
    static int (*original)(RtpSession *, mblk_t *, uint8_t, int, uint8_t, uint16_t);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "rtp_session_add_telephone_event");
    pthread_mutex_lock(&lock);
    struct tone *tone = find(session);
    MSFilter *sender = NULL;
    int rest = 0;
    if (tone && is_end) {
        // mediastreamer ends it at the greatest length.
        tone->session = NULL;
    } else if (tone && shape(tone, &is_end, &duration)) {
        sender = tone->sender;
        rest = (int)(units(tone, longest_time) - tone->earlier_segments);
    }
    pthread_mutex_unlock(&lock);
    // The event's end stays, so that with a shorter length it starts later: where this segment ends.
    if (sender) ms_filter_call_method(sender, MS_RTP_SEND_SET_DTMF_DURATION, &rest);
    return original ? original(session, packet, event, is_end, volume, duration) : -1;
}
