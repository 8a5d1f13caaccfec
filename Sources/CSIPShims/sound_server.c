// SPDX-License-Identifier: GPL-3.0-or-later

// The connection to PulseAudio's server, or to PipeWire in its place, which mediastreamer makes once. When the server has
// ended, it would not connect to the next one, and would use a stream that it does not have (mediastreamer 5.1 and 5.3). Its
// reader and writer of ALSA try for ten seconds to open a device that leads to the server, and a call that ends waits for them.
// The program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include <mediastreamer2/allfilters.h>
#include <mediastreamer2/mssndcard.h>

typedef struct pa_context pa_context;
typedef struct pa_mainloop_api pa_mainloop_api;

MSFactory *linphone_core_get_ms_factory(struct _LinphoneCore *core);
pa_context *pa_context_new(pa_mainloop_api *api, const char *name);

// The tests link this target without liblinphone.
USES(linphone_core_get_ms_factory);
USES(ms_factory_create_filter);
USES(ms_factory_get_snd_card_manager);
USES(ms_snd_card_get_driver_type);
USES(ms_snd_card_get_factory);
USES(ms_snd_card_get_name);

// Values of pa_context_state_t, which are part of libpulse's interface. Its headers are in a package of their own.
enum { context_failed = 5, context_terminated = 6 };

static const char driver[] = "PulseAudio";

/// mediastreamer's connection.
static pa_context *connection;

pa_context *pa_context_new(pa_mainloop_api *api, const char *name) {
    static pa_context *(*original)(pa_mainloop_api *, const char *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "pa_context_new");
    if (!original) return NULL;
    pa_context *context = original(api, name);
    // ALSA's, which connects for each stream, has a name.
    if (!name) connection = context;
    return context;
}

// With memory that PulseAudio's client shares with its server, the end of the server waits for the samples that ALSA's
// plug-in has begun to read, while the plug-in waits for it (libpulse 16.1, pa_memimport_free). Without a memory file, the
// samples come through the socket.
int memfd_create(const char *name, unsigned flags) {
    static int (*original)(const char *, unsigned);
    if (strcmp(name, "pulseaudio") == 0) {
        errno = ENOSYS;
        return -1;
    }
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "memfd_create");
    return original(name, flags);
}

bool sipshims_has_lost_sound_server(void) {
    static int (*state)(const pa_context *);
    if (!connection) return false;
    if (!state) *(void **)&state = dlsym(RTLD_DEFAULT, "pa_context_get_state");
    return state && state(connection) >= context_failed && state(connection) <= context_terminated;
}

/// Gives up one use of the connection, which ends with the last.
static void release(MSSndCardManager *manager) {
    for (const bctbx_list_t *one = manager->descs; one; one = one->next) {
        MSSndCardDesc *description = one->data;
        if (strcmp(description->driver_type, driver) == 0 && description->unload) description->unload(manager);
    }
}

void sipshims_disconnect_sound_server(struct _LinphoneCore *core) {
    if (!connection) return;
    connection = NULL;
    release(ms_factory_get_snd_card_manager(linphone_core_get_ms_factory(core)));
}

// mediastreamer counts each list of the devices as one more use of the connection.
void ms_snd_card_manager_reload(MSSndCardManager *manager) {
    static void (*original)(MSSndCardManager *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ms_snd_card_manager_reload");
    bool is_connected = connection != NULL;
    original(manager);
    if (is_connected) release(manager);
}

/// Returns whether ALSA's default device can be opened, or is only in use. A stream is 0 for playback and 1 for capture.
static bool has_default_device(int stream) {
    static int (*open_device)(void **, const char *, int, int);
    static int (*close_device)(void *);
    if (!open_device) *(void **)&open_device = dlsym(RTLD_DEFAULT, "snd_pcm_open");
    if (!close_device) *(void **)&close_device = dlsym(RTLD_DEFAULT, "snd_pcm_close");
    if (!open_device || !close_device) return true;
    enum { without_waiting = 1 };
    void *device = NULL;
    int error = open_device(&device, "default", stream, without_waiting);
    if (error == 0) close_device(device);
    return error == 0 || error == -EBUSY || error == -EAGAIN;
}

/// Returns whether a stream of this device can't be opened, as there is no sound server.
static bool is_lost(MSSndCard *card, int stream) {
    if (!sipshims_has_lost_sound_server()) return false;
    if (strcmp(ms_snd_card_get_driver_type(card), driver) == 0) return true;
    const char *name = ms_snd_card_get_name(card);
    return name && strstr(name, "default") && !has_default_device(stream);
}

MSFilter *ms_snd_card_create_reader(MSSndCard *card) {
    static MSFilter *(*original)(MSSndCard *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ms_snd_card_create_reader");
    return is_lost(card, 1) ? ms_factory_create_filter(ms_snd_card_get_factory(card), MS_VOID_SOURCE_ID) : original(card);
}

MSFilter *ms_snd_card_create_writer(MSSndCard *card) {
    static MSFilter *(*original)(MSSndCard *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ms_snd_card_create_writer");
    return is_lost(card, 0) ? ms_factory_create_filter(ms_snd_card_get_factory(card), MS_VOID_SINK_ID) : original(card);
}
