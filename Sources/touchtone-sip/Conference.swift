// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone

/// The conversation of joined calls, which liblinphone plays and records with a stream of its own.
final class Conference {
    private let core: OpaquePointer
    /// Whether the conversation still uses devices that are not chosen any more.
    private var hasOldDevices = false

    init(core: OpaquePointer) { self.core = core }

    func join(_ first: Call, _ second: Call) {
        if clinphone_conference(core) == nil { create() }
        // One of them may be in a conversation with others already.
        for call in [first, second] where linphone_call_get_conference(call.handle) == nil {
            linphone_core_add_to_conference(core, call.handle)
        }
    }

    /// Creates the conversation without video: by default, liblinphone opens two black windows for it.
    private func create() {
        guard let parameters = clinphone_create_conference_parameters(core) else { return }
        defer { linphone_conference_params_unref(parameters) }
        linphone_conference_params_enable_video(parameters, 0)
        linphone_core_create_conference_with_params(core, parameters)
    }

    /// Lets the user in, or out while all joined calls are on hold.
    func setPresent(_ isPresent: Bool) {
        guard isPresent != (linphone_core_is_in_conference(core) != 0) else { return }
        if isPresent {
            linphone_core_enter_conference(core)
        } else {
            linphone_core_leave_conference(core)
        }
    }

    /// Mutes or unmutes the microphone for all joined calls; what is muted in the calls themselves is not heard here.
    func setMuted(_ isMuted: Bool) {
        guard let conference = clinphone_conference(core) else { return }
        clinphone_mute(conference, isMuted ? 1 : 0)
    }

    /// Uses the devices of the core from now on.
    func changeDevices() {
        hasOldDevices = true
        openDevices()
    }

    /// Opens the devices of the core, if the conversation uses others: liblinphone keeps them until the user
    /// leaves, and lets nobody in again while a call is being set up.
    func openDevices() {
        guard hasOldDevices else { return }
        guard linphone_core_is_in_conference(core) != 0 else { return hasOldDevices = false }
        guard linphone_core_sound_resources_locked(core) == 0, linphone_core_get_current_call(core) == nil
        else {
            return
        }
        hasOldDevices = false
        linphone_core_leave_conference(core)
        linphone_core_enter_conference(core)
    }
}
