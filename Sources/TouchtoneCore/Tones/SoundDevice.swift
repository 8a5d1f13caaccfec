// SPDX-License-Identifier: GPL-3.0-or-later

/// A device that sound can be played on.
public struct SoundDevice: Hashable, Sendable {
    /// The name that the settings hold, and that ALSA opens it by: `default`, `hw:CARD=Headset`.
    public let name: String
    /// What it is called, for people.
    public let label: String

    /// Names a device.
    public init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}

/// Knows which devices there are.
public protocol SoundDeviceList: Sendable {
    /// The devices that are there now, in the order to show them; looking for them may take a while.
    func devices() async -> [SoundDevice]
}
