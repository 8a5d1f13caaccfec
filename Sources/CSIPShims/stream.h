// SPDX-License-Identifier: GPL-3.0-or-later

// The stream of a call, for the other files of this target.

#ifndef SIPSHIMS_STREAM_H
#define SIPSHIMS_STREAM_H

#include <mediastreamer2/mediastream.h>

// liblinphone exports it, but declares it in a private header. The type of an audio stream is 0.
MediaStream *linphone_call_get_stream(struct _LinphoneCall *call, int type);

#endif
