// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import GLibBridge
import TouchtoneCore

/// A device of the sound server: PulseAudio, or PipeWire in its place.
struct ServerDevice: Hashable {
    /// The ALSA device that plays on it or records it, by ALSA’s plugin for sound servers.
    let name: String
    /// The name for the user.
    let label: String
    /// The number of ALSA’s card that the server uses for it; nil for none, such as Bluetooth or the network.
    let card: Int32?

    /// The kind of ALSA’s devices at the sound server.
    static let kind = "pulse"
    /// The greatest length of a server’s name for a device, in bytes; `touchtone-sip` has room for 255.
    private static let maximumLength = 200

    /// Creates a device from what the server says; nil if ALSA cannot open it by its name.
    init?(name: String, description: String, card: Int32? = nil) {
        // In ALSA’s names, a comma and an equals sign separate arguments, and quotes enclose them.
        guard (1...Self.maximumLength).contains(name.utf8.count), PlainText.line(name) == name,
            name.allSatisfy({ !",='\"\\$".contains($0) }), name.first != " ", name.last != " "
        else { return nil }
        let words = description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let label = PlainText.line(words, maximum: 80)
        self.name = "\(Self.kind):\(name)"
        self.label = label.isEmpty ? name : label
        self.card = card
    }

    /// Returns whether an ALSA device is one of the sound server.
    static func isName(_ name: String) -> Bool { name.hasPrefix(kind + ":") }
}

/// A list of the sound server’s devices, on the calling thread and with a connection of its own, which ends with it.
///
/// No server is started, and nothing is left that could wake the program.
final class ServerDeviceQuery {
    /// The greatest number of devices of a direction.
    private static let maximum = 64
    /// The flag PA_CONTEXT_NOAUTOSPAWN.
    private static let startsNoServer: Int32 = 1
    // Values of `pa_context_state_t`.
    private static let (ready, failed): (Int32, Int32) = (4, 5)

    /// The device that PulseAudio has if there is no other, which discards all.
    private static let standIn = "auto_null"

    private let pulse: PulseLibrary.Functions
    private let direction: PCM.Direction
    private var devices: [ServerDevice] = []
    private var isOver = false

    private init(_ pulse: PulseLibrary.Functions, _ direction: PCM.Direction) {
        (self.pulse, self.direction) = (pulse, direction)
    }

    /// Returns the server’s devices of a direction, without monitors; none if there is no server, or it does not respond in time.
    ///
    /// - Parameters:
    ///   - server: The address of the server; nil for the user’s.
    ///   - limit: The time in seconds for the whole list.
    static func devices(
        _ direction: PCM.Direction, of server: String? = nil, limit: Double = 1
    ) -> [ServerDevice] {
        guard let pulse = try? PulseLibrary.functions() else { return [] }
        return ServerDeviceQuery(pulse, direction).run(server, until: .now + limit)
    }

    private func run(_ server: String?, until end: Instant) -> [ServerDevice] {
        guard let loop = pulse.newLoop() else { return [] }
        defer { pulse.freeLoop(loop) }
        guard let context = pulse.newContext(pulse.interface(loop), "Touchtone") else { return [] }
        // After it, nothing is listed any more.
        defer {
            pulse.disconnect(context)
            pulse.releaseContext(context)
        }
        guard pulse.connect(context, server, Self.startsNoServer, nil) >= 0 else { return [] }
        let list = direction == .playback ? pulse.sinks : pulse.sources
        var isAsked = false
        while !isOver {
            let left = -end.age
            guard left > 0, pulse.prepare(loop, Int32(left * 1e6)) >= 0, pulse.poll(loop) >= 0,
                pulse.dispatch(loop) >= 0, pulse.state(context) < Self.failed
            else { return [] }
            guard !isAsked, pulse.state(context) == Self.ready else { continue }
            isAsked = true
            guard let operation = list(context, Self.listed, Unmanaged.passUnretained(self).toOpaque())
            else { return [] }
            pulse.releaseOperation(operation)
        }
        return devices
    }

    private static let listed: PulseLibrary.Functions.Listed = { _, device, end, data in
        guard let data else { return }
        let query = Unmanaged<ServerDeviceQuery>.fromOpaque(data).takeUnretainedValue()
        if let device, end == 0 { query.add(device.pointee) } else { query.isOver = true }
    }

    private func add(_ device: caudio_pulse_device) {
        guard !isOver, let name = device.name.map({ String(cString: $0) }), name != Self.standIn,
            direction == .playback || device.monitor == UInt32.max
        else { return }
        let found = ServerDevice(
            name: name, description: device.description.map { String(cString: $0) } ?? "",
            card: card(of: device))
        if let found { devices.append(found) }
        isOver = devices.count >= Self.maximum
    }

    private func card(of device: caudio_pulse_device) -> Int32? {
        guard let properties = device.properties else { return nil }
        // The second one is PipeWire’s own.
        for key in ["alsa.card", "api.alsa.pcm.card"] {
            if let text = pulse.property(properties, key), let card = Int32(String(cString: text)) {
                return card
            }
        }
        return nil
    }
}
