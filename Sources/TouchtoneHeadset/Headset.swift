// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
public import TouchtoneCore

/// The keys and lamps of headsets: they answer, hang up and mute, also while the phone is locked, and never dial.
@MainActor
public final class Headset {
    private let phone: Phone
    private let folders: HeadsetDevices.Folders
    private var devices: HeadsetDevices?

    /// Uses no headset before it is turned on.
    public convenience init(_ phone: Phone) { self.init(phone, HeadsetDevices.Folders()) }

    init(_ phone: Phone, _ folders: HeadsetDevices.Folders) {
        (self.phone, self.folders) = (phone, folders)
        phone.calls.observe(by: self) { [weak self] in if $0 == .calls { self?.light() } }
    }

    /// Whether headsets are used.
    public var isOn: Bool {
        get { devices != nil }
        set {
            guard newValue != isOn else { return }
            devices =
                newValue ? HeadsetDevices(folders) { [weak phone] in phone?.take($0) } : nil
            light()
        }
    }

    /// The number of headsets that are open.
    var count: Int { devices?.count ?? 0 }

    private func light() {
        let calls = phone.calls
        var lamps: Set<HIDDescriptor.Usage> = []
        if calls.hasLiveCall { lamps.insert(.offHookLamp) }
        if calls.calls.contains(where: { $0.state == .incoming && calls.isHeard($0) }) {
            lamps.insert(.ringLamp)
        }
        if let current = calls.current, current.state.isLive, current.isMuted { lamps.insert(.muteLamp) }
        if lamps != devices?.lit { devices?.light(lamps) }
    }
}
