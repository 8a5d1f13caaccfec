// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The menu of SPKR: the devices that a call can be heard on.
///
/// The devices are asked for in the background, when a call begins and each time before the menu opens: a sound server
/// may take its time, and devices come and go.
@MainActor
final class SpeakerMenu {
    /// Where the devices come from.
    struct Source {
        /// The devices that there are; nil is the device for tones alone.
        let list: (any SoundDeviceList)?
        /// The settings, which name the device for tones.
        let settings: Settings
    }

    /// Called when the devices were found.
    var onChange: (@MainActor () -> Void)?

    private let key: Widget
    private let calls: CallManager
    private let source: Source
    private var devices: [SoundDevice] = []
    private var search: Task<Void, Never>?
    private var isInCall = false
    /// The event that asked for the menu, while that waits for the devices.
    private var trigger: Trigger?

    /// Creates the menu under a key.
    init(at key: Widget, of calls: CallManager, from source: Source) {
        (self.key, self.calls, self.source) = (key, calls, source)
    }

    isolated deinit { search?.cancel() }

    /// Whether there is more than one device; one that was chosen and has gone can still be left.
    var hasChoice: Bool { devices.count > 1 || isOn }

    /// Whether the call is heard on another device than the one for tones.
    var isOn: Bool { device != toneDevice }

    /// The purpose of the key, for the pointer and for assistive tools.
    var tip: String {
        guard hasChoice else { return localized("There is no other device to hear the call on") }
        guard isOn else { return localized("Choose the device to hear the call on (Ctrl+O)") }
        let label = choices.first { $0.name == device }?.label ?? device
        return localized(
            "The call is heard on “{device}”: choose another device (Ctrl+O)", ["device": label])
    }

    /// Asks for the devices when a call begins, and closes the menu when it ends.
    func setInCall(_ isInCall: Bool) {
        guard isInCall != self.isInCall else { return }
        self.isInCall = isInCall
        if isInCall { findDevices() } else { close() }
    }

    /// Opens the menu as soon as the devices are known; nothing happens without a call, or with one device.
    func open() {
        guard isInCall, source.list != nil else { return }
        trigger = Trigger(at: key)
        findDevices()
    }

    /// Closes the menu, also one that was only asked for.
    func close() {
        trigger = nil
        ContextMenu.close(at: key)
    }
}

extension SpeakerMenu {
    private var toneDevice: String { source.settings[text: "tone-device"] }

    /// The name of the device that the call is heard on.
    private var device: String { calls.current?.speaker ?? toneDevice }

    /// The devices that there are, behind those that are in use and were not found.
    private var choices: [SoundDevice] {
        var choices = devices
        for name in [device, toneDevice] where !choices.contains(where: { $0.name == name }) {
            let label = localized("{device} (not connected)", ["device": name])
            choices.insert(SoundDevice(name: name, label: label), at: 0)
        }
        return choices
    }

    /// Asks for the devices; an answer that is on its way is the one to wait for.
    private func findDevices() {
        guard search == nil, let list = source.list else { return }
        search = Task { [weak self] in
            let found = await list.devices()
            self?.offer(found)
        }
    }

    private func offer(_ found: [SoundDevice]) {
        search = nil
        var names: Set<String> = []
        devices = found.filter { names.insert($0.name).inserted }
        let trigger = trigger
        self.trigger = nil
        onChange?()
        if let trigger, isInCall, hasChoice { popUp(trigger) }
    }

    private func popUp(_ trigger: Trigger) {
        let items = choices.map { choice in
            ContextMenu.Item(choice.label, isChosen: choice.name == device) { [weak self] in
                guard let self else { return }
                calls.setSpeaker(choice.name == toneDevice ? nil : choice.name)
            }
        }
        ContextMenu(items: items).open(at: key, event: nil, trigger: trigger.event)
    }
}

/// The event that asked for a menu: a copy of the current one, or one that is made where an assistive tool or the bus
/// asked, since GTK opens no menu in silence without an event.
@MainActor
private final class Trigger {
    let event: UnsafeMutablePointer<GdkEvent>

    init(at widget: Widget) {
        guard let current = gtk_get_current_event() else {
            event = gdk_event_new(GDK_NOTHING)
            if let window = gtk_widget_get_window(widget) {
                // The event gives it back.
                g_object_ref(UnsafeMutableRawPointer(window))
                event.pointee.any.window = window
            }
            let seat = gdk_display_get_default_seat(gtk_widget_get_display(widget))
            gdk_event_set_device(event, gdk_seat_get_pointer(seat))
            return
        }
        event = current
    }

    isolated deinit { gdk_event_free(event) }
}
