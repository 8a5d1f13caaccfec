// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import CAudioShims
import GLibBridge
import Glibc
public import TouchtoneCore

/// ALSA's devices, `default` first, then those of the sound server: those that exist, each once, and those that the user has defined.
///
/// ALSA opens the devices of a sound server by its plugin, but does not list them. Cards that the server uses are last, as devices
/// without it. ALSA lists a device under several names, for each way to open it, and every plugin, such as that for JACK or for OSS,
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

    public func devices() async -> [SoundDevice] { await list(.playback) }

    public func microphones() async -> [SoundDevice] { await list(.capture) }

    /// The current devices, queried on a separate thread, since ALSA reads files and contacts servers.
    private func list(_ direction: PCM.Direction) async -> [SoundDevice] {
        await withCheckedContinuation { continuation in
            let isRunning = BackgroundThread.start("touchtone-list") {
                let hints = Self.hints
                // Without the plugin, ALSA does not open the server’s devices.
                let hasPlugin = hints.contains { $0.name == ServerDevice.kind }
                let found = Self.devices(
                    in: hints, direction, server: hasPlugin ? ServerDeviceQuery.devices(direction) : [],
                    card: Self.number(ofCard:))
                continuation.resume(returning: found)
            }
            if !isRunning { continuation.resume(returning: [Self.standard]) }
        }
    }

    private static var standard: SoundDevice {
        SoundDevice(name: "default", label: localized("Default device"))
    }

    /// Returns the devices of a direction, with their own names for the user.
    ///
    /// - Parameters:
    ///   - server: The devices of the sound server.
    ///   - card: A function that returns the number of the card with an id.
    static func devices(
        in hints: [Hint], _ direction: PCM.Direction, server: [ServerDevice] = [],
        card: (String) -> Int32? = { _ in nil }
    ) -> [SoundDevice] {
        let wanted = direction == .playback ? "Output" : "Input"
        let shared = Set(server.compactMap(\.card))
        var cards: [SoundDevice] = []
        var sharedCards: [SoundDevice] = []
        for hint in hints where hint.direction == nil || hint.direction == wanted {
            let kind = String(hint.name.prefix { $0 != ":" })
            let id = id(ofCard: hint.name)
            guard id == nil ? !plugins.contains(kind) : ways.contains(kind) else { continue }
            let lines = hint.text.split(separator: "\n").map(String.init)
            // The second line of a card's default says that it is the default of the card.
            let text = kind == "sysdefault" ? lines.first : lines.isEmpty ? nil : localizedList(lines)
            let label = text ?? hint.name
            if let number = id.flatMap(card), shared.contains(number) {
                let words = localized("{device}, without the sound server", ["device": label])
                sharedCards.append(SoundDevice(name: hint.name, label: words))
            } else {
                cards.append(SoundDevice(name: hint.name, label: label))
            }
        }
        return [standard] + devices(of: server) + cards + sharedCards
    }

    /// Returns the server’s devices, of which those with the same words have their names, too.
    private static func devices(of server: [ServerDevice]) -> [SoundDevice] {
        let known = Dictionary(grouping: server, by: \.label)
        return server.map { device in
            let isOnly = known[device.label]?.count == 1
            return SoundDevice(
                name: device.name, label: isOnly ? device.label : localizedList([device.label, device.name]))
        }
    }

    /// Returns the id of the card in a device’s name, such as `hdmi:CARD=PCH,DEV=0`; nil if there is none.
    private static func id(ofCard name: String) -> String? {
        name.split(separator: ":", maxSplits: 1).dropFirst().first?.split(separator: ",")
            .first { $0.hasPrefix("CARD=") }.map { String($0.dropFirst(5)) }
    }

    private static func number(ofCard id: String) -> Int32? {
        let number = snd_card_get_index(id)
        return number < 0 ? nil : number
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
