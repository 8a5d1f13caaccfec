// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A device with its fingerprint, and with what the user can do about it.
@MainActor
final class DeviceView {
    enum Action: Hashable {
        case verify, rename, remove
        case trust(Bool)
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4, style: "device")
    private(set) var device: DeviceKey
    private let isMine: Bool
    private let act: @MainActor (DeviceKey, Action) -> Void
    private let title = Widget.wrappedLabel(style: "ask-title")
    private let state = Widget.wrappedLabel(style: "device-state")
    private let fingerprint = Widget.wrappedLabel(style: "fingerprint")
    private let trust: Widget = gtk_switch_new()
    private let trustLine = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
    private let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
    private let verify = Widget.button(localized("Verify…"))
    private let rename = Widget.button(localized("Rename…"))
    private let remove = Widget.button(localized("Remove…"))
    private var isShowing = false

    init(_ device: DeviceKey, isMine: Bool, act: @escaping @MainActor (DeviceKey, Action) -> Void) {
        (self.device, self.isMine, self.act) = (device, isMine, act)
        gtk_label_set_selectable(fingerprint.cast(), 1)
        // Its digits read from the left in every language.
        gtk_widget_set_direction(fingerprint, GTK_TEXT_DIR_LTR)
        trustLine.add(Widget.wrappedLabel(localized("Trust this device")), grows: true)
        gtk_widget_set_valign(trust, GTK_ALIGN_CENTER)
        trustLine.add(trust)
        keys.stackWithLargeText()
        for key in [verify, rename, remove] { keys.add(key) }
        for part in [title, state, fingerprint, trustLine, keys] { widget.add(part) }
        gtk_widget_show_all(widget)
        Signal.connectNotify(trust, "notify::active") { [weak self] in self?.trustChanged() }
        for (key, action) in [(verify, Action.verify), (rename, .rename), (remove, .remove)] {
            Signal.connect(key, "clicked") { [weak self] in self?.perform(action) }
        }
        show(device)
    }

    func show(_ device: DeviceKey) {
        self.device = device
        let name = device.name
        title.text = device.title
        state.text = device.stateText
        state.set(style: "problem", device.isActive && !device.isThis && !device.trust.isTrusted)
        fingerprint.text = device.key == nil ? localized("Its key is not known yet.") : device.fingerprint
        fingerprint.setAccessible(
            description: localized("Fingerprint of {device}", ["device": name]))
        let isUsed = device.isActive && !device.isThis && device.key != nil
        trustLine.isVisible = isUsed
        verify.isVisible = isUsed && device.trust != .verified
        rename.isVisible = isMine && !device.isThis
        remove.isVisible = isMine && !device.isThis && device.isActive
        isShowing = true
        gtk_switch_set_active(trust.cast(), device.trust.isTrusted ? 1 : 0)
        isShowing = false
        cgtk_widget_set_accessible(trust, localized("Trust {device}", ["device": name]), state.text)
        verify.setAccessible(name: localized("Verify {device}", ["device": name]))
        rename.setAccessible(name: localized("Rename {device}", ["device": name]))
        remove.setAccessible(name: localized("Remove {device}", ["device": name]))
    }

    /// Focuses the first thing that can be done.
    func focus() { gtk_widget_child_focus(trustLine.isVisible ? trustLine : widget, GTK_DIR_TAB_FORWARD) }

    private func perform(_ action: Action) { act(device, action) }

    private func trustChanged() {
        guard !isShowing else { return }
        perform(.trust(gtk_switch_get_active(trust.cast()) != 0))
    }
}

extension DeviceKey {
    /// The name that the user gave the device, or its number, as a title.
    var title: String { label.isEmpty ? Self.name(of: address.device) : name }

    /// Returns a title for a device of which only the number is known.
    static func name(of number: UInt32) -> String {
        localized("Device {number}", ["number": String(number)])
    }

    /// The trust and the times at which the device was seen.
    @MainActor
    fileprivate var stateText: String {
        let stamps = LocaleStamps()
        var words: [String] = []
        if isThis {
            words.append(localized("This device"))
        } else if !isActive {
            words.append(localized("Not used any more"))
        }
        if !isThis, key != nil { words.append(trust.word) }
        words.append(localized("First seen: {time}", ["time": stamps.dateAndTime(firstSeen)]))
        if let lastSeen {
            words.append(localized("Last message: {time}", ["time": stamps.dateAndTime(lastSeen)]))
        }
        return words.joined(separator: " · ")
    }
}

extension KeyTrust {
    fileprivate var word: String {
        switch self {
        case .undecided: localizedIn("device", "New, not decided")
        case .blind: localizedIn("device", "Trusted, not compared")
        case .verified: localizedIn("device", "Compared")
        case .distrusted, .setAside: localizedIn("device", "Not trusted")
        }
    }
}
