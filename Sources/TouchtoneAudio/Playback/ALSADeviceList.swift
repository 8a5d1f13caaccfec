// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import CAudioShims
import GLibBridge
import Glibc
public import TouchtoneCore

/// ALSA's devices, `default` first: those that exist, each once, and those that the user has defined.
///
/// ALSA lists a device under several names, for each way to open it, and every plugin, such as that for JACK or for OSS,
/// whether or not there is a server or a device for it.
public struct ALSADeviceList: SoundDeviceList {
    /// A device as ALSA describes it.
    struct Hint: Hashable {
        let name: String
        /// The description, of one line or more.
        let text: String
        /// `Input` or `Output`; nil is both.
        let direction: String?
    }

    /// The names for a card that stand for its whole device, up to the colon; others open parts of it, or without conversion.
    private static let ways: Set<String> = ["sysdefault", "hdmi", "iec958"]
    /// The names of plugins and pseudo-devices.
    private static let plugins: Set<String> = [
        "null", "default", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "jack", "oss",
        "pulse", "pipewire", "usbstream", "a52", "arcam_av",
    ]

    public init() { caudio_silence_alsa() }

    public func devices() async -> [SoundDevice] { await list("Output") }

    public func microphones() async -> [SoundDevice] { await list("Input") }

    /// The current devices, queried on a separate thread, since ALSA reads files and contacts servers.
    private func list(_ direction: String) async -> [SoundDevice] {
        await withCheckedContinuation { continuation in
            let isRunning = BackgroundThread.start("touchtone-list") {
                continuation.resume(returning: Self.devices(in: Self.hints, direction))
            }
            if !isRunning { continuation.resume(returning: [Self.standard]) }
        }
    }

    private static var standard: SoundDevice {
        SoundDevice(name: "default", label: localized("Default device"))
    }

    /// Returns the devices of a direction, with their own names for the user.
    static func devices(in hints: [Hint], _ direction: String) -> [SoundDevice] {
        let found = hints.filter { $0.direction == nil || $0.direction == direction }.compactMap {
            hint -> SoundDevice? in
            let kind = String(hint.name.prefix { $0 != ":" })
            let isOfCard = hint.name.contains("CARD=")
            guard isOfCard ? ways.contains(kind) : !plugins.contains(kind) else { return nil }
            let lines = hint.text.split(separator: "\n").map(String.init)
            // The second line of a card's default says that it is the default of the card.
            let label = kind == "sysdefault" ? lines.first : lines.isEmpty ? nil : localizedList(lines)
            return SoundDevice(name: hint.name, label: label ?? hint.name)
        }
        return [standard] + found
    }

    private static var hints: [Hint] {
        var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &list) == 0, let list else { return [] }
        defer { snd_device_name_free_hint(list) }
        var hints: [Hint] = []
        var next = list
        while let found = next.pointee {
            next += 1
            guard let name = text("NAME", of: found) else { continue }
            hints.append(
                Hint(name: name, text: text("DESC", of: found) ?? "", direction: text("IOID", of: found)))
        }
        return hints
    }

    private static func text(_ field: String, of hint: UnsafeMutableRawPointer) -> String? {
        guard let text = snd_device_name_get_hint(hint, field) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
