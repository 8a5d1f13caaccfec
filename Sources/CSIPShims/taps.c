// SPDX-License-Identifier: GPL-3.0-or-later

// The sound of calls for the answering machine and for recordings. Each stream passes its sound through two of mediastreamer's
// volumes: what it sends, behind the microphone's mute and the echo canceller, and what it has received. Here, these volumes
// also hand their samples over, which may be changed. Their common description, which is data, gets other functions.
//
// Joined calls have one more stream, which plays and records for all of them: it sends what the user says, and receives all far
// ends. Their own streams do not send by themselves.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"
#include "stream.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <mediastreamer2/allfilters.h>
#include <mediastreamer2/mediastream.h>
#include <mediastreamer2/msconference.h>
#include <mediastreamer2/msvolume.h>

MSFactory *linphone_core_get_ms_factory(struct _LinphoneCore *core);

// The tests link this target without liblinphone.
USES(linphone_call_get_stream);
USES(linphone_core_get_ms_factory);
USES(ms_audio_endpoint_get_from_stream);
USES(ms_audio_endpoint_release_from_stream);
USES(ms_factory_lookup_filter_by_id);
USES(ms_filter_call_method);

enum { most_taps = 64 };

struct tap {
    const MSFilter *filter;  // null if the entry is free
    int rate;
    bool is_sent;
    sipshims_sound take;
    void *context;
};

static struct tap taps[most_taps];
// The media's threads hold it while they hand samples over.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*process_volume)(MSFilter *);
static void (*release_volume)(MSFilter *);
static void (*begin_volume)(MSFilter *);
static MSFilterMethodFunc set_gain, set_gain_db;

/// The methods of the volumes, of which those that set the gain are other ones.
static MSFilterMethod methods[64];
/// Whether a stream has begun, or a volume has got a gain.
static atomic_bool gains_changed;

/// The stream that plays and records for joined calls, and its place among them.
static AudioStream *joined_stream;
static MSAudioEndpoint *joined_endpoint;

static void hand_over(const struct tap *tap, MSQueue *queue, const mblk_t *before) {
    mblk_t *part = before ? before->b_next : ms_queue_peek_first(queue);
    for (; part && !ms_queue_end(queue, part); part = ms_queue_next(queue, part)) {
        size_t count = (size_t)(part->b_wptr - part->b_rptr) / sizeof(int16_t);
        tap->take(tap->context, tap->is_sent, (int16_t *)part->b_rptr, count, tap->rate);
    }
}

static void process(MSFilter *filter) {
    MSQueue *queue = filter->outputs[0];
    const mblk_t *before = queue && !ms_queue_empty(queue) ? ms_queue_peek_last(queue) : NULL;
    process_volume(filter);
    if (!queue) return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < most_taps; i++)
        if (taps[i].filter == filter) hand_over(&taps[i], queue, before);
    pthread_mutex_unlock(&lock);
}

// Another filter may get its address.
static void release(MSFilter *filter) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < most_taps; i++)
        if (taps[i].filter == filter) taps[i].filter = NULL;
    pthread_mutex_unlock(&lock);
    if (release_volume) release_volume(filter);
}

static void begin(MSFilter *filter) {
    atomic_store(&gains_changed, true);
    if (begin_volume) begin_volume(filter);
}

static int set(MSFilter *filter, void *gain) {
    atomic_store(&gains_changed, true);
    return set_gain(filter, gain);
}

static int set_db(MSFilter *filter, void *gain) {
    atomic_store(&gains_changed, true);
    return set_gain_db(filter, gain);
}

/// Puts a method in the place of another, which it returns; NULL if there is none.
static MSFilterMethodFunc replace(unsigned int id, MSFilterMethodFunc function) {
    for (MSFilterMethod *method = methods; method->method; method++) {
        if (method->id != id) continue;
        MSFilterMethodFunc former = method->method;
        method->method = function;
        return former;
    }
    return NULL;
}

/// Lets the volumes tell when they get a gain.
static void watch_gains(MSFilterDesc *volume) {
    size_t count = 0;
    while (volume->methods && volume->methods[count].method) count++;
    // The last entry stays empty.
    if (count == 0 || count >= sizeof methods / sizeof *methods) return;
    memcpy(methods, volume->methods, count * sizeof *methods);
    set_gain = replace(MS_VOLUME_SET_GAIN, set);
    set_gain_db = replace(MS_VOLUME_SET_DB_GAIN, set_db);
    volume->methods = methods;
}

void sipshims_offer_sound(struct _LinphoneCore *core) {
    MSFilterDesc *volume = ms_factory_lookup_filter_by_id(linphone_core_get_ms_factory(core), MS_VOLUME_ID);
    if (!volume || volume->process == process) return;
    process_volume = volume->process;
    release_volume = volume->uninit;
    begin_volume = volume->preprocess;
    volume->process = process;
    volume->uninit = release;
    volume->preprocess = begin;
    watch_gains(volume);
}

/// Returns whether a tap is set already.
static bool has_tap(const struct tap *tap) {
    for (size_t i = 0; i < most_taps; i++)
        if (taps[i].filter == tap->filter && taps[i].context == tap->context && taps[i].rate == tap->rate) return true;
    return false;
}

static void remove_taps(const void *context, const MSFilter *sent, const MSFilter *received) {
    for (size_t i = 0; i < most_taps; i++)
        if (taps[i].context == context && taps[i].filter != sent && taps[i].filter != received) taps[i].filter = NULL;
}

static void add_tap(struct tap tap) {
    if (!tap.filter || has_tap(&tap)) return;
    for (size_t i = 0; i < most_taps; i++)
        if (!taps[i].filter) {
            taps[i] = tap;
            return;
        }
}

bool sipshims_take_sound(struct _LinphoneCall *call, bool is_joined, sipshims_sound take, void *context) {
    AudioStream *stream = is_joined ? joined_stream : (AudioStream *)linphone_call_get_stream(call, 0);
    MSFilter *sent = stream ? stream->volsend : NULL, *received = stream ? stream->volrecv : NULL;
    pthread_mutex_lock(&lock);
    remove_taps(context, sent, received);
    if (sent && received && stream->sample_rate > 0) {
        add_tap((struct tap){sent, stream->sample_rate, true, take, context});
        add_tap((struct tap){received, stream->sample_rate, false, take, context});
    }
    pthread_mutex_unlock(&lock);
    return sent && received;
}

void sipshims_leave_sound(void *context) {
    pthread_mutex_lock(&lock);
    remove_taps(context, NULL, NULL);
    pthread_mutex_unlock(&lock);
}

bool sipshims_take_changed_gains(void) { return atomic_exchange(&gains_changed, false); }

void sipshims_set_gain(struct _LinphoneCall *call, bool is_joined, float decibels) {
    AudioStream *stream = is_joined ? joined_stream : (AudioStream *)linphone_call_get_stream(call, 0);
    MSFilter *sent = stream ? stream->volsend : NULL;
    float wanted = powf(10, decibels / 20), present = 0;
    if (!sent || ms_filter_call_method(sent, MS_VOLUME_GET_GAIN, &present) != 0) return;
    if (fabsf(present - wanted) > 0.001f * wanted) ms_filter_call_method(sent, MS_VOLUME_SET_GAIN, &wanted);
}

MSAudioEndpoint *ms_audio_endpoint_get_from_stream(AudioStream *stream, bool_t is_remote) {
    static MSAudioEndpoint *(*original)(AudioStream *, bool_t);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ms_audio_endpoint_get_from_stream");
    MSAudioEndpoint *endpoint = original ? original(stream, is_remote) : NULL;
    if (!is_remote) {
        joined_stream = stream;
        joined_endpoint = endpoint;
        atomic_store(&gains_changed, true);
    }
    return endpoint;
}

void ms_audio_endpoint_release_from_stream(MSAudioEndpoint *endpoint) {
    static void (*original)(MSAudioEndpoint *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ms_audio_endpoint_release_from_stream");
    if (endpoint == joined_endpoint) {
        joined_stream = NULL;
        joined_endpoint = NULL;
    }
    if (original) original(endpoint);
}
