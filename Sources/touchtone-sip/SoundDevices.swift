// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

/// The sound devices of liblinphone: those of PulseAudio and ALSA, and those that the phone names.
enum SoundDevices {
    /// Chooses the devices of future calls.
    static func choose(_ devices: SIPDevices, core: OpaquePointer) {
        sipshims_set_alsa_devices(core, devices.playback, devices.capture, devices.ringing)
        linphone_core_reload_sound_devices(core)
        use(
            devices, core: core, forOutput: { linphone_core_set_default_output_audio_device(core, $0) },
            forInput: { linphone_core_set_default_input_audio_device(core, $0) })
    }

    /// Connects to a sound server that has taken the place of another, before the first call that it is to play.
    static func renew(_ devices: SIPDevices, core: OpaquePointer) {
        guard sipshims_has_lost_sound_server() else { return }
        sipshims_disconnect_sound_server(core)
        choose(devices, core: core)
    }

    /// Changes the devices of a call, also while it is heard.
    static func choose(_ devices: SIPDevices, for call: OpaquePointer, core: OpaquePointer) {
        use(
            devices, core: core, forOutput: { linphone_call_set_output_audio_device(call, $0) },
            forInput: { linphone_call_set_input_audio_device(call, $0) })
        // Without parameters, it only opens the new devices. Other calls open them when they are resumed, and joined ones
        // have none, see `Conference`.
        if linphone_call_get_state(call) == LinphoneCallStateStreamsRunning,
            linphone_call_get_conference(call) == nil
        {
            linphone_call_update(call, nil)
        }
    }

    /// Lets the answering machine have a call: it records nobody here, and is heard on a device or not at all.
    ///
    /// Before the call is answered, it only prepares that. Returns false if there is no such device.
    static func chooseMachine(for call: OpaquePointer, core: OpaquePointer, ringing: String?) -> Bool {
        let isChosen = withAll(core) { all in
            guard let machine = all.first(where: isMachine) else { return false }
            let outputs = others(all).filter { has($0, LinphoneAudioDeviceCapabilityPlay) }
            linphone_call_set_input_audio_device(call, machine)
            linphone_call_set_output_audio_device(
                call, ringing.flatMap { device($0, in: outputs) } ?? machine)
            return true
        }
        if linphone_call_get_state(call) == LinphoneCallStateStreamsRunning {
            linphone_call_update(call, nil)
        }
        return isChosen
    }

    static func hasMicrophone(_ core: OpaquePointer) -> Bool {
        SoundFiles.fromEnvironment != nil
            || withAll(core) { others($0).contains { has($0, LinphoneAudioDeviceCapabilityRecord) } }
    }

    private static func use(
        _ devices: SIPDevices, core: OpaquePointer, forOutput setOutput: (OpaquePointer) -> Void,
        forInput setInput: (OpaquePointer) -> Void
    ) {
        withAll(core) { all in
            let outputs = others(all).filter { has($0, LinphoneAudioDeviceCapabilityPlay) }
            let inputs = others(all).filter { has($0, LinphoneAudioDeviceCapabilityRecord) }
            if let output = device(devices.playback, in: outputs) { setOutput(output) }
            if let input = device(devices.capture, in: inputs) { setInput(input) }
        }
    }

    /// Calls a closure with all devices, which may be gone afterwards.
    private static func withAll<Result>(_ core: OpaquePointer, _ body: ([OpaquePointer]) -> Result) -> Result
    {
        let list = linphone_core_get_extended_audio_devices(core)
        // The list holds a reference to each device, with which it would outlive liblinphone's next list.
        defer { bctbx_list_free_with_data(list) { linphone_audio_device_unref(OpaquePointer($0)) } }
        var devices: [OpaquePointer] = []
        forEach(list) { devices.append($0) }
        return body(devices)
    }

    /// Whether a device is the one of the answering machine.
    private static func isMachine(_ device: OpaquePointer) -> Bool {
        Texts.safe(linphone_audio_device_get_driver_name(device)) == machineDriver
    }

    /// Returns the devices of the user.
    private static func others(_ devices: [OpaquePointer]) -> [OpaquePointer] {
        devices.filter { !isMachine($0) }
    }

    private static let machineDriver = String(cString: sipshims_machine_driver_name())

    private static func has(_ device: OpaquePointer, _ capability: LinphoneAudioDeviceCapabilities) -> Bool {
        linphone_audio_device_has_capability(device, capability) != 0
    }

    /// Returns the device with a name, or the system's default if there is none.
    private static func device(_ name: String, in devices: [OpaquePointer]) -> OpaquePointer? {
        let named = devices.first {
            !name.isEmpty
                && [linphone_audio_device_get_device_name($0), linphone_audio_device_get_id($0)].contains {
                    Texts.safe($0) == name || Texts.safe($0).hasSuffix(": \(name)")
                }
        }
        return named
            ?? devices.first { Texts.safe(linphone_audio_device_get_driver_name($0)) == "PulseAudio" }
            ?? devices.first { Texts.safe(linphone_audio_device_get_device_name($0)).contains("default") }
            ?? devices.first
    }
}
