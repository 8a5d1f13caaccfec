// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import CGio

/// A client of RealtimeKit (`org.freedesktop.RealtimeKit1`), the system service that gives real-time priority to
/// threads of unprivileged processes.
///
/// Its calls block on the bus. Never call it on the audio thread or the main thread.
struct RealtimeKit: ~Copyable {
    private static let name = "org.freedesktop.RealtimeKit1"
    private static let path = "/org/freedesktop/RealtimeKit1"
    /// The timeout of a call in milliseconds; the service may have to start first.
    private static let patience: Int32 = 10_000

    /// A private connection: a shared one would end the process with the bus, and is never closed.
    private let bus: OpaquePointer

    /// Raises threads of this process to round-robin priority, and returns whether all succeeded.
    ///
    /// - Parameters:
    ///   - threads: The kernel's identifiers of the threads.
    ///   - priority: The priority, 1...99, limited to the maximum of RealtimeKit.
    static func raise(_ threads: [Int32], to priority: Int32) -> Bool {
        guard let kit = RealtimeKit(), let greatest = kit.property("MaxRealtimePriority"),
            let time = kit.property("RTTimeUSecMax"), greatest > 0
        else { return false }
        // RealtimeKit rejects processes that could occupy the machine for longer.
        guard caudio_limit_real_time(time) else { return false }
        let level = UInt32(min(Int64(priority), greatest))
        return threads.allSatisfy { kit.makeRealTime($0, level) }
    }

    /// Connects to the system bus; returns nil if there is none.
    private init?() {
        guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, nil) else { return nil }
        defer { g_free(address) }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let bus = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else {
            return nil
        }
        self.bus = bus
    }

    deinit {
        g_dbus_connection_close_sync(bus, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(bus))
    }

    private func makeRealTime(_ thread: Int32, _ priority: UInt32) -> Bool {
        let arguments = [g_variant_new_uint64(guint64(thread)), g_variant_new_uint32(priority)]
        guard let answer = call(Self.name, "MakeThreadRealtime", arguments) else { return false }
        g_variant_unref(answer)
        return true
    }

    /// Returns a numeric property of 32 or 64 bits.
    private func property(_ property: String) -> Int64? {
        let arguments = [g_variant_new_string(Self.name), g_variant_new_string(property)]
        guard let answer = call("org.freedesktop.DBus.Properties", "Get", arguments) else { return nil }
        defer { g_variant_unref(answer) }
        guard String(cString: g_variant_get_type_string(answer)) == "(v)" else { return nil }
        let boxed = g_variant_get_child_value(answer, 0)
        let value = g_variant_get_variant(boxed)
        defer {
            g_variant_unref(value)
            g_variant_unref(boxed)
        }
        switch String(cString: g_variant_get_type_string(value)) {
        case "i": return Int64(g_variant_get_int32(value))
        case "x": return Int64(g_variant_get_int64(value))
        default: return nil
        }
    }

    /// Returns the reply, which the caller releases, or nil for an error.
    private func call(_ interface: String, _ method: String, _ arguments: [OpaquePointer?]) -> OpaquePointer?
    {
        g_dbus_connection_call_sync(
            bus, Self.name, Self.path, interface, method,
            g_variant_new_tuple(arguments, gsize(arguments.count)), nil, G_DBUS_CALL_FLAGS_NONE,
            Self.patience, nil, nil)
    }
}
