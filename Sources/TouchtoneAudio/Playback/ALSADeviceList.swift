// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import CAudioShims
import GLibBridge
import Glibc
public import TouchtoneCore

/// ALSA's playback devices, `default` first, without pseudo-devices that discard or convert the sound.
public struct ALSADeviceList: SoundDeviceList {
    /// The names of pseudo-devices, up to the colon.
    private static let noDevices: Set<String> = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix",
    ]

    public init() { caudio_silence_alsa() }

    /// The current devices, queried on a separate thread, since ALSA reads files and contacts servers.
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
