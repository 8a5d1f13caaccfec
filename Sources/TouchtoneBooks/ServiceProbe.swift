// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// Asks the session bus whether it has a service, without starting it.
@MainActor
enum ServiceProbe {
    /// Finds out whether a name is owned, or would be once somebody asks for it; false where there is no bus.
    static func isThere(_ name: String) async -> Bool {
        guard let connection = await connection() else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(connection)) }
        for method in ["ListActivatableNames", "ListNames"] {
            if await names(by: method, on: connection).contains(name) { return true }
        }
        return false
    }

    private static func connection() async -> OpaquePointer? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Found, Never>) in
            g_bus_get(
                G_BUS_TYPE_SESSION, nil,
                { _, result, data in
                    guard let data else { return }
                    let box = Unmanaged<Answer<Found>>.fromOpaque(data).takeRetainedValue()
                    box.continuation.resume(returning: Found(connection: g_bus_get_finish(result, nil)))
                }, Unmanaged.passRetained(Answer(continuation)).toOpaque())
        }.connection
    }

    private static func names(by method: String, on connection: OpaquePointer) async -> [String] {
        await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            let bus = "org.freedesktop.DBus"
            g_dbus_connection_call(
                connection, bus, "/org/freedesktop/DBus", bus, method, nil, nil,
                G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil,
                { source, result, data in
                    guard let data else { return }
                    let box = Unmanaged<Answer<[String]>>.fromOpaque(data).takeRetainedValue()
                    let reply = g_dbus_connection_call_finish(OpaquePointer(source), result, nil)
                    defer { if let reply { g_variant_unref(reply) } }
                    box.continuation.resume(returning: reply.map(ServiceProbe.strings) ?? [])
                }, Unmanaged.passRetained(Answer(continuation)).toOpaque())
        }
    }

    /// The texts of an answer of the type `(as)`.
    private nonisolated static func strings(in reply: OpaquePointer) -> [String] {
        guard let list = g_variant_get_child_value(reply, 0) else { return [] }
        defer { g_variant_unref(list) }
        return (0..<g_variant_n_children(list)).compactMap { index in
            guard let item = g_variant_get_child_value(list, index) else { return nil }
            defer { g_variant_unref(item) }
            return g_variant_get_string(item, nil).map { String(cString: $0) }
        }
    }

    /// A connection on its way from GIO to where it is awaited, on the same thread.
    private struct Found: @unchecked Sendable {  // The main thread has both ends.
        let connection: OpaquePointer?
    }

    private final class Answer<Value: Sendable> {
        let continuation: CheckedContinuation<Value, Never>
        init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }
    }
}
