// SPDX-License-Identifier: GPL-3.0-or-later

// The stream of a call, for the other files of this target.

#ifndef SIPSHIMS_STREAM_H
#define SIPSHIMS_STREAM_H

#include <stdbool.h>

#include <mediastreamer2/mediastream.h>

// liblinphone exports it, but declares it in a private header. The type of an audio stream is 0, of a text stream 2.
MediaStream *linphone_call_get_stream(struct _LinphoneCall *call, int type);

/// Returns whether a stream waits for no keys of a handshake of DTLS: without them, nothing in it is encrypted.
bool sipshims_is_keyed(const MediaStream *stream);

#endif
