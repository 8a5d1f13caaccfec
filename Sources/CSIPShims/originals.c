// SPDX-License-Identifier: GPL-3.0-or-later

// The functions of other libraries that this target replaces or uses, each where its reason is. A library of a newer version
// that has no such function any more would go on without the replacement, and without what it protects from; a call of a
// function that is missing would end the engine.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"

#include <dlfcn.h>
#include <string.h>

/// The versions of liblinphone whose calls pass the tests.
static const char *const tried[] = {"5.1.", "5.3."};

static const char *const replaced[] = {
    "__isoc99_sscanf",
    "_belle_sip_message_get_header_by_type_id",
    "bctbx_recv",
    "bctbx_ssl_handshake",
    "bctbx_ssl_set_hostname",
    "belle_sip_channel_process_data",
    "belle_sip_channel_queue_message",
    "belle_sip_client_transaction_send_request_to",
    "belle_sip_dialog_can_accept_request",
    "belle_sip_dialog_create_request",
    "belle_sip_header_allow_create",
    "belle_sip_header_get_unparsed_value",
    "belle_sip_header_session_expires_get_delta",
    "belle_sip_message_parse_raw",
    "belle_sip_provider_dispatch_message",
    "belle_sip_server_transaction_send_response",
    "belle_sip_stack_get_next_hop",
    "belle_sip_stack_resolve_srv",
    "linphone_auth_info_set_algorithm",
    "linphone_core_lookup_known_account",
    "linphone_core_lookup_known_proxy",
    "linphone_core_preempt_sound_resources",
    "memfd_create",
    "ms_audio_endpoint_get_from_stream",
    "ms_audio_endpoint_release_from_stream",
    "ms_snd_card_create_reader",
    "ms_snd_card_create_writer",
    "ms_snd_card_manager_reload",
    "recvfrom",
    "rtp_session_add_telephone_event",
    "rtp_session_create_telephone_event_packet",
    "rtp_session_destroy",
    "rtp_session_get_send_ssrc",
    "rtp_session_recvm_with_ts",
    "rtp_session_refresh_sockets",
    "sendmsg",
    "speex_preprocess_ctl",
    "speex_preprocess_run",
    "text_stream_start",
};

bool sipshims_knows_version(const char *version) {
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (strncmp(version, tried[i], strlen(tried[i])) == 0) return true;
    return false;
}

/// The functions that `USES` has put here; the linker names the ends.
extern const struct sipshims_use __start_sipshims_uses[], __stop_sipshims_uses[];

/// Returns whether an earlier use has the same name: several files use a function.
static bool is_repeated(const struct sipshims_use *use) {
    for (const struct sipshims_use *earlier = __start_sipshims_uses; earlier < use; earlier++)
        if (strcmp(earlier->name, use->name) == 0) return true;
    return false;
}

const char *sipshims_missing_function(size_t *position) {
    const size_t replaced_count = sizeof replaced / sizeof *replaced;
    while (*position < replaced_count) {
        const char *name = replaced[(*position)++];
        if (!dlsym(RTLD_NEXT, name)) return name;
    }
    while (*position - replaced_count < (size_t)(__stop_sipshims_uses - __start_sipshims_uses)) {
        const struct sipshims_use *use = &__start_sipshims_uses[(*position)++ - replaced_count];
        if (!use->function && !is_repeated(use)) return use->name;
    }
    return NULL;
}
