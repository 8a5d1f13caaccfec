// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import CGio

/// RealtimeKit (`org.freedesktop.RealtimeKit1`): the service of the system bus that gives real-time priority to threads
/// of those who may not take it themselves.
///
/// Its calls block, for as long as the bus does: never for the audio thread or the window's.
struct RealtimeKit: ~Copyable {
    private static let name = "org.freedesktop.RealtimeKit1"
    private static let path = "/org/freedesktop/RealtimeKit1"
    /// How long an answer is waited for, in milliseconds; the service may have to be started first.
    private static let patience: Int32 = 10_000

    /// A connection of its own: one that is shared would end the process with the bus, and is never given back.
    private let bus: OpaquePointer

    /// Gives threads of this process round-robin priority; whether all of them got it.
    ///
    /// - Parameters:
    ///   - threads: the kernel's numbers of the threads.
    ///   - priority: 1...99; less where RealtimeKit does not give as much.
    static func raise(_ threads: [Int32], to priority: Int32) -> Bool {
        guard let kit = RealtimeKit(), let greatest = kit.property("MaxRealtimePriority"),
            let time = kit.property("RTTimeUSecMax"), greatest > 0
        else { return false }
        // RealtimeKit refuses processes that could hold the machine up for longer.
        guard caudio_limit_real_time(time) else { return false }
        let level = UInt32(min(Int64(priority), greatest))
        return threads.allSatisfy { kit.makeRealTime($0, level) }
    }

    /// Connects to the system bus; nil where there is none.
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

    /// A property that is a number, 32 or 64 bits wide.
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

    /// The answer, to be given back; nil for an error, of which the reason does not matter.
    private func call(_ interface: String, _ method: String, _ arguments: [OpaquePointer?]) -> OpaquePointer?
    {
        g_dbus_connection_call_sync(
            bus, Self.name, Self.path, interface, method,
            g_variant_new_tuple(arguments, gsize(arguments.count)), nil, G_DBUS_CALL_FLAGS_NONE,
            Self.patience, nil, nil)
    }
}
