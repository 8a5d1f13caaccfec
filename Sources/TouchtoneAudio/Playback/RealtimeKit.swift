// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import GLibBridge

/// A client of RealtimeKit, the system service that gives real-time priority to threads of unprivileged
/// processes; its calls block on the bus, so never make them on the audio thread or the main thread.
struct RealtimeKit {
    private static let name = "org.freedesktop.RealtimeKit1"
    private static let path = "/org/freedesktop/RealtimeKit1"
    /// The timeout of a call in milliseconds; the service may have to start first.
    private static let timeout: Int32 = 10_000

    /// A private connection: a shared one would end the process with the bus, and is never closed.
    private let bus: DBusConnection

    /// Raises threads, by the kernel's ids, to round-robin `priority` (1...99, up to RealtimeKit's maximum),
    /// and returns whether all succeeded.
    static func raise(_ threads: [Int32], to priority: Int32) -> Bool {
        guard let bus = try? DBusConnection.connectPrivatelyAndWait(to: .system) else { return false }
        let kit = RealtimeKit(bus: bus)
        guard let greatest = kit.property("MaxRealtimePriority"), let time = kit.property("RTTimeUSecMax"),
            greatest > 0
        else { return false }
        // RealtimeKit rejects processes that could occupy the machine for longer.
        guard caudio_limit_real_time(time) else { return false }
        let level = UInt32(min(Int64(priority), greatest))
        return threads.allSatisfy { kit.makeRealTime($0, level) }
    }

    private func makeRealTime(_ thread: Int32, _ priority: UInt32) -> Bool {
        call(Self.name, "MakeThreadRealtime", [.uint64(UInt64(thread)), .uint32(priority)]) != nil
    }

    private func property(_ property: String) -> Int64? {
        let answer = call("org.freedesktop.DBus.Properties", "Get", [.string(Self.name), .string(property)])
        return answer?[0]?.content?.integer
    }

    private func call(_ interface: String, _ method: String, _ arguments: [Variant]) -> Variant? {
        try? bus.callAndWait(
            DBusObject(Self.name, path: Self.path, interface: interface), method, arguments,
            milliseconds: Self.timeout)
    }
}
