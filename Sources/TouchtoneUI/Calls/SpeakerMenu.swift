// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The menu of SPKR: the devices that can play the call, and the microphones, where there is more than one.
///
/// The devices are listed in the background, when a call begins and each time before the menu opens, because a sound
/// server may be slow, and devices may be connected or removed at any time.
@MainActor
final class SpeakerMenu {
    struct Source {
        /// The available devices; nil if only the device for tones can be used.
        let list: (any SoundDeviceList)?
        /// The settings, which have the names of the device for tones and of the microphone.
        let settings: Settings
    }

    var onChange: (@MainActor () -> Void)?

    private let key: Widget
    private let calls: CallManager
    private let source: Source
    private var devices: [SoundDevice] = []
    private var microphones: [SoundDevice] = []
    private var search: Task<Void, Never>?
    private var isInCall = false
    /// The event that opens the menu, while the devices are being listed.
    private var trigger: MenuTrigger?

    init(at key: Widget, of calls: CallManager, from source: Source) {
        (self.key, self.calls, self.source) = (key, calls, source)
    }

    isolated deinit { search?.cancel() }

    /// Whether there is a device to choose: more than one, or a chosen one, which may have been removed meanwhile.
    var hasChoice: Bool { devices.count > 1 || isOn || hasMicrophones }

    /// Whether the call plays on a different device than the tones.
    var isOn: Bool { device != toneDevice }

    var tip: String {
        guard hasChoice else { return localized("There is no other device to hear the call on") }
        guard isOn else { return localized("Choose the device to hear the call on (Ctrl+O)") }
        let label = choices.first { $0.name == device }?.label ?? device
        return localized("The call is heard on “{device}”: choose another device (Ctrl+O)", ["device": label])
    }

    /// Lists the devices when a call begins, and closes the menu when it ends.
    func setInCall(_ isInCall: Bool) {
        guard isInCall != self.isInCall else { return }
        self.isInCall = isInCall
        if isInCall { findDevices() } else { close() }
    }

    /// Opens the menu when the devices are known; does nothing without a call, or with only one device.
    func open() {
        guard isInCall, source.list != nil else { return }
        trigger = MenuTrigger(at: key)
        findDevices()
    }

    /// Closes the menu, or cancels opening it.
    func close() {
        trigger = nil
        ContextMenu.close(at: key)
    }

    private var hasMicrophones: Bool { microphones.count > 1 || !isStandard(microphone) }

    private func isStandard(_ microphone: String) -> Bool { microphone == "default" || microphone.isEmpty }

    private var toneDevice: String { source.settings[text: "tone-device"] }

    private var microphone: String { source.settings[text: Self.microphoneKey] }

    private static let microphoneKey = "microphone-device"

    private var device: String { calls.current?.speaker ?? toneDevice }

    /// The available devices, after those that are in use but were not found.
    private var choices: [SoundDevice] { Self.choices(devices, using: [device, toneDevice]) }

    private static func choices(_ devices: [SoundDevice], using names: [String]) -> [SoundDevice] {
        var choices = devices
        for name in names where !choices.contains(where: { $0.name == name }) {
            let label = localized("{device} (not connected)", ["device": name])
            choices.insert(SoundDevice(name: name, label: label), at: 0)
        }
        return choices
    }

    private func findDevices() {
        guard search == nil, let list = source.list else { return }
        search = Task { [weak self] in
            let found = await list.devices()
            let microphones = await list.microphones()
            self?.offer(found, microphones)
        }
    }

    private func offer(_ found: [SoundDevice], _ inputs: [SoundDevice]) {
        search = nil
        var names: Set<String> = []
        devices = found.filter { names.insert($0.name).inserted }
        names = []
        microphones = inputs.filter { names.insert($0.name).inserted }
        let trigger = trigger
        self.trigger = nil
        onChange?()
        if let trigger, isInCall, hasChoice { popUp(trigger) }
    }

    private func popUp(_ trigger: MenuTrigger) {
        var items: [ContextMenu.Item?] = choices.map { choice in
            ContextMenu.Item(choice.label, isChosen: choice.name == device) { [weak self] in
                guard let self else { return }
                calls.setSpeaker(choice.name == toneDevice ? nil : choice.name)
            }
        }
        if hasMicrophones {
            items += [nil, ContextMenu.Item(localized("Microphone"), isEnabled: false) {}]
            items += Self.choices(microphones, using: [microphone]).map { choice in
                ContextMenu.Item(choice.label, isChosen: choice.name == microphone) { [weak self] in
                    guard let self, choice.name != microphone else { return }
                    source.settings[text: Self.microphoneKey] = choice.name
                }
            }
        }
        ContextMenu(items: items).open(at: key, event: nil, trigger: trigger.event)
    }
}
