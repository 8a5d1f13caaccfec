// SPDX-License-Identifier: GPL-3.0-or-later

/// A device that sound can be played on.
public struct SoundDevice: Hashable, Sendable {
    /// The name in the settings and for ALSA: `default`, `hw:CARD=Headset`.
    public let name: String
    /// The name for the user.
    public let label: String

    /// Creates a device.
    public init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}

/// A list of the sound devices.
public protocol SoundDeviceList: Sendable {
    /// Returns the available devices in the order in which to show them; this may take a while.
    func devices() async -> [SoundDevice]
}
