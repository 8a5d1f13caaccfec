// SPDX-License-Identifier: GPL-3.0-or-later

// Session descriptions (RFC 8866) on their way between far ends and liblinphone, for the other files of this target.

#ifndef SIPSHIMS_MEDIA_H
#define SIPSHIMS_MEDIA_H

#include <belle-sip/belle-sip.h>
#include <stdbool.h>

/// Leaves the sound and real-time text in the session description of a message that comes in. Returns the status that refuses
/// a request, or 0.
int sipshims_reduce_media(belle_sip_message_t *message);

/// Puts the session description of a body with several parts into the place of the body. Returns false if a request has to be
/// refused, because there is none or another part must be understood. A body that cannot be refused is removed.
bool sipshims_take_session(belle_sip_message_t *message);

/// Returns whether a message has a body that is no session description, and that must be understood (RFC 3261, section 20.11).
bool sipshims_has_other_body(belle_sip_message_t *message);

/// Keeps the places of all media of the call in an offer that the phone sends (RFC 3264, section 8).
void sipshims_complete_offer(belle_sip_client_transaction_t *transaction);

#endif
