// SPDX-License-Identifier: GPL-3.0-or-later

public struct SoundDevice: Hashable, Sendable {
    /// The name in the settings and for ALSA: `default`, `hw:CARD=Headset`.
    public let name: String
    /// The name for the user.
    public let label: String

    public init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}

public protocol SoundDeviceList: Sendable {
    /// Returns the available devices in the order in which to show them; this may take a while.
    func devices() async -> [SoundDevice]
    /// Returns the available microphones likewise.
    func microphones() async -> [SoundDevice]
}

extension SoundDeviceList {
    /// None: only the default one can be used.
    public func microphones() async -> [SoundDevice] { [] }
}
