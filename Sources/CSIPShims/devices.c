// SPDX-License-Identifier: GPL-3.0-or-later

// mediastreamer knows the default device and the cards of ALSA, but not its other devices, such as those of a sound
// server or of the user's settings. Here, those that the phone names join its list.

#include "CSIPShims.h"
#include "libraries.h"

#include <string.h>

#include <mediastreamer2/mssndcard.h>

MSFactory *linphone_core_get_ms_factory(struct _LinphoneCore *core);
// mediastreamer exports it, but declares it in no header.
MSSndCard *ms_alsa_card_new_custom(const char *device, const char *mixer);

// The tests link this target without liblinphone.
USES(linphone_core_get_ms_factory);
USES(ms_alsa_card_new_custom);
USES(ms_factory_get_snd_card_manager);
USES(ms_snd_card_manager_add_card);
USES(ms_snd_card_manager_register_desc);

enum { longest_name = 256 };

static char playback_name[longest_name], capture_name[longest_name], ringing_name[longest_name];

static void add(MSSndCardManager *manager, const char *name, unsigned capabilities) {
    MSSndCard *card = name[0] ? ms_alsa_card_new_custom(name, name) : NULL;
    if (!card) return;
    card->capabilities = capabilities;
    ms_snd_card_manager_add_card(manager, card);
}

// mediastreamer calls it whenever it lists the devices.
static void detect(MSSndCardManager *manager) {
    bool is_same = strcmp(playback_name, capture_name) == 0;
    add(manager, playback_name, MS_SND_CARD_CAP_PLAYBACK | (is_same ? MS_SND_CARD_CAP_CAPTURE : 0));
    if (!is_same) add(manager, capture_name, MS_SND_CARD_CAP_CAPTURE);
    if (strcmp(ringing_name, playback_name) != 0) add(manager, ringing_name, MS_SND_CARD_CAP_PLAYBACK);
}

static MSSndCardDesc description = {.driver_type = "ALSA", .detect = detect};

void sipshims_set_alsa_devices(
    struct _LinphoneCore *core, const char *playback, const char *capture, const char *ringing) {
    static bool is_registered;
    strncpy(playback_name, playback, longest_name - 1);
    strncpy(capture_name, capture, longest_name - 1);
    strncpy(ringing_name, ringing, longest_name - 1);
    if (is_registered) return;
    is_registered = true;
    ms_snd_card_manager_register_desc(ms_factory_get_snd_card_manager(linphone_core_get_ms_factory(core)), &description);
}
