// SPDX-License-Identifier: GPL-3.0-or-later

/// A connection to a bus, for the signals that come over it.
@MainActor
final class BusSignals {
    /// What a signal carries.
    struct Parameters {
        fileprivate let values: OpaquePointer

        /// Whether it carries a boolean alone, which is true.
        var isTrue: Bool {
            guard g_variant_get_type_string(values).map({ String(cString: $0) }) == "(b)",
                let flag = g_variant_get_child_value(values, 0)
            else { return false }
            defer { g_variant_unref(flag) }
            return g_variant_get_boolean(flag) != 0
        }
    }

    private let connection: GObjectRef
    private var subscriptions: [guint] = []

    private init(_ connection: GObjectRef) {
        self.connection = connection
    }

    isolated deinit {
        for subscription in subscriptions {
            g_dbus_connection_signal_unsubscribe(connection.opaque, subscription)
        }
    }

    /// Connects in the background; `made` is called once there is a connection, and never where there is none.
    static func connect(to bus: GBusType, made: @escaping @MainActor (BusSignals) -> Void) {
        g_bus_get(
            bus, nil,
            { _, result, data in
                let connection = g_bus_get_finish(result, nil)
                nonisolated(unsafe) let found = connection  // It stays on this, the main, thread.
                Box<@MainActor (OpaquePointer?) -> Void>.callOnce(data) { $0(found) }
            },
            Box<@MainActor (OpaquePointer?) -> Void> { found in
                guard let found else { return }
                let connection = GObjectRef(taking: UnsafeMutableRawPointer(found))
                // A machine without its system bus is no reason to end; that of the session ends programs anyway.
                if bus == G_BUS_TYPE_SYSTEM { g_dbus_connection_set_exit_on_close(connection.opaque, 0) }
                made(BusSignals(connection))
            }.retained)
    }

    /// Calls `heard` at each signal of that name, with its interface; what is nil may be anything.
    func listen(
        sender: String? = nil, interface: String? = nil, member: String, path: String? = nil,
        _ heard: @escaping @MainActor (String, Parameters) -> Void
    ) {
        let subscription = g_dbus_connection_signal_subscribe(
            connection.opaque, sender, interface, member, path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, interface, _, values, data in
                guard let interface, let values else { return }
                let name = String(cString: interface)
                nonisolated(unsafe) let parameters = values  // They stay on this, the main, thread.
                Box<@MainActor (String, Parameters) -> Void>.call(data) {
                    $0(name, Parameters(values: parameters))
                }
            }, Box(heard).retained,
            { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
        subscriptions.append(subscription)
    }

    /// Calls a method that takes a text and answers with the path of an object; an error is no answer.
    func askForPath(
        service: String, object: String, method: String, argument: String,
        _ answered: @escaping @MainActor (String) -> Void
    ) {
        let parts = method.split(separator: ".")
        var arguments = [g_variant_new_string(argument)]
        g_dbus_connection_call(
            connection.opaque, service, object, parts.dropLast().joined(separator: "."),
            String(parts.last ?? ""),
            g_variant_new_tuple(&arguments, 1), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil,
            { source, result, data in
                let answer = source.flatMap { g_dbus_connection_call_finish(OpaquePointer($0), result, nil) }
                defer { answer.map { g_variant_unref($0) } }
                let path = answer.flatMap { BusSignals.path(in: $0) }
                Box<@MainActor (String) -> Void>.callOnce(data) { answered in if let path { answered(path) } }
            }, Box(answered).retained)
    }

    private nonisolated static func path(in answer: OpaquePointer) -> String? {
        guard g_variant_get_type_string(answer).map({ String(cString: $0) }) == "(o)",
            let path = g_variant_get_child_value(answer, 0)
        else { return nil }
        defer { g_variant_unref(path) }
        return g_variant_get_string(path, nil).map { String(cString: $0) }
    }
}
