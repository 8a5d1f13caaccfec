// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import CAudioShims
import GLibBridge
import Glibc
public import TouchtoneCore

/// The playback devices of ALSA, `default` first, with ALSA's descriptions.
///
/// It omits pseudo-devices that discard the sound or convert it for another device.
public struct ALSADeviceList: SoundDeviceList {
    /// The names of pseudo-devices, up to the colon.
    private static let noDevices: Set<String> = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix",
    ]

    /// Creates a list that queries ALSA at each access.
    public init() { caudio_silence_alsa() }

    /// Returns the current devices.
    ///
    /// ALSA is queried on a separate thread, since it reads files and contacts servers.
    public func devices() async -> [SoundDevice] {
        await withCheckedContinuation { continuation in
            let isRunning = BackgroundThread.start("touchtone-list") {
                continuation.resume(returning: Self.read())
            }
            if !isRunning { continuation.resume(returning: [Self.standard]) }
        }
    }

    private static var standard: SoundDevice {
        SoundDevice(name: "default", label: localized("Default device"))
    }

    private static func read() -> [SoundDevice] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [standard] }
        defer { snd_device_name_free_hint(hints) }
        var devices = [standard]
        var hint = hints
        while let found = hint.pointee {
            hint += 1
            guard let name = text("NAME", of: found), name != standard.name else { continue }
            // No direction means both directions.
            guard text("IOID", of: found) != "Input", !noDevices.contains(kind(of: name)) else { continue }
            let lines = (text("DESC", of: found) ?? name).split(separator: "\n").map(String.init)
            devices.append(SoundDevice(name: name, label: localizedList(lines)))
        }
        return devices
    }

    private static func kind(of name: String) -> String { String(name.prefix { $0 != ":" }) }

    private static func text(_ field: String, of hint: UnsafeMutableRawPointer) -> String? {
        guard let text = snd_device_name_get_hint(hint, field) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
