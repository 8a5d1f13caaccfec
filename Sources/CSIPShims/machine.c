// SPDX-License-Identifier: GPL-3.0-or-later

// A device for calls that the answering machine has: its microphone is silent, and it plays nothing. So no device of the user is
// open for such a call, and none is needed.

#include "CSIPShims.h"
#include "libraries.h"

#include <mediastreamer2/allfilters.h>
#include <mediastreamer2/msinterfaces.h>
#include <mediastreamer2/mssndcard.h>

MSFactory *linphone_core_get_ms_factory(struct _LinphoneCore *core);

// The tests link this target without liblinphone.
USES(linphone_core_get_ms_factory);
USES(ms_factory_create_filter);
USES(ms_factory_get_snd_card_manager);
USES(ms_filter_call_method);
USES(ms_snd_card_get_factory);
USES(ms_snd_card_manager_add_card);
USES(ms_snd_card_manager_register_desc);
USES(ms_snd_card_new_with_name);

static const char driver[] = "Touchtone";

const char *sipshims_machine_driver_name(void) { return driver; }

static MSFilter *create_reader(MSSndCard *card) {
    MSFilter *source = ms_factory_create_filter(ms_snd_card_get_factory(card), MS_VOID_SOURCE_ID);
    bool_t sends_silence = TRUE;
    if (source) ms_filter_call_method(source, MS_VOID_SOURCE_SEND_SILENCE, &sends_silence);
    return source;
}

static MSFilter *create_writer(MSSndCard *card) {
    return ms_factory_create_filter(ms_snd_card_get_factory(card), MS_VOID_SINK_ID);
}

static MSSndCardDesc description;

// mediastreamer calls it whenever it lists the devices.
static void detect(MSSndCardManager *manager) {
    MSSndCard *card = ms_snd_card_new_with_name(&description, "answering machine");
    if (!card) return;
    card->capabilities = MS_SND_CARD_CAP_CAPTURE | MS_SND_CARD_CAP_PLAYBACK;
    ms_snd_card_manager_add_card(manager, card);
}

static MSSndCardDesc description = {
    .driver_type = driver,
    .detect = detect,
    .create_reader = create_reader,
    .create_writer = create_writer,
};

void sipshims_add_machine_device(struct _LinphoneCore *core) {
    ms_snd_card_manager_register_desc(ms_factory_get_snd_card_manager(linphone_core_get_ms_factory(core)), &description);
}
