// SPDX-License-Identifier: GPL-3.0-or-later

// Session descriptions (RFC 8866) on their way between far ends and liblinphone, for the other files of this target.

#ifndef SIPSHIMS_MEDIA_H
#define SIPSHIMS_MEDIA_H

#include <belle-sip/belle-sip.h>

/// Leaves the sound alone in the session description of a message that comes in. Returns the status that refuses a request,
/// or 0.
int sipshims_reduce_media(belle_sip_message_t *message);

/// Keeps the places of all media of the call in an offer that the phone sends (RFC 3264, section 8).
void sipshims_complete_offer(belle_sip_client_transaction_t *transaction);

#endif
