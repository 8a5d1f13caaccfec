// SPDX-License-Identifier: GPL-3.0-or-later

/// A connection to a bus, for the signals that come over it.
@MainActor
final class BusSignals {
    /// What a signal carries.
    struct Parameters {
        fileprivate let values: OpaquePointer

        /// The boolean that it carries alone; nil for anything else.
        var flag: Bool? {
            BusValues(values, type: "(b)")?.child(0) { g_variant_get_boolean($0) != 0 }
        }

        /// The number and the text that it carries; nil for anything else.
        var numberAndText: (UInt32, String)? {
            guard let values = BusValues(values, type: "(us)"),
                let number = values.child(0, { g_variant_get_uint32($0) }),
                let text = values.child(
                    1, { g_variant_get_string($0, nil).map { String(cString: $0) } ?? "" })
            else { return nil }
            return (number, text)
        }

        /// The two numbers that it carries; nil for anything else.
        var numbers: (UInt32, UInt32)? {
            guard let values = BusValues(values, type: "(uu)"),
                let first = values.child(0, { g_variant_get_uint32($0) }),
                let second = values.child(1, { g_variant_get_uint32($0) })
            else { return nil }
            return (first, second)
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
    ///
    /// - Parameter argument: the text that comes first in the signal.
    func listen(
        sender: String? = nil, interface: String? = nil, member: String, path: String? = nil,
        argument: String? = nil,
        _ heard: @escaping @MainActor (String, Parameters) -> Void
    ) {
        let subscription = g_dbus_connection_signal_subscribe(
            connection.opaque, sender, interface, member, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
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

    /// Calls a method, and tells what it answers; nil is an error.
    ///
    /// - Parameter arguments: the arguments, which are taken over.
    func call(
        service: String, object: String, method: String, _ arguments: [OpaquePointer?],
        _ answered: @escaping @MainActor (BusValues?) -> Void = { _ in }
    ) {
        let parts = method.split(separator: ".")
        var arguments = arguments
        g_dbus_connection_call(
            connection.opaque, service, object, parts.dropLast().joined(separator: "."),
            String(parts.last ?? ""),
            g_variant_new_tuple(&arguments, gsize(arguments.count)), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil,
            { source, result, data in
                let answer = source.flatMap { g_dbus_connection_call_finish(OpaquePointer($0), result, nil) }
                defer { answer.map { g_variant_unref($0) } }
                nonisolated(unsafe) let values = answer.map { BusValues($0) }  // On this, the main, thread.
                Box<@MainActor (BusValues?) -> Void>.callOnce(data) { $0(values) }
            }, Box(answered).retained)
    }

    /// Calls a method that takes a text and answers with the path of an object; an error is no answer.
    func askForPath(
        service: String, object: String, method: String, argument: String,
        _ answered: @escaping @MainActor (String) -> Void
    ) {
        call(service: service, object: object, method: method, [g_variant_new_string(argument)]) { answer in
            guard let answer, answer.type == "(o)" else { return }
            let path = answer.child(0) { g_variant_get_string($0, nil).map { String(cString: $0) } ?? "" }
            if let path { answered(path) }
        }
    }
}

/// What came over a bus, as long as the call in which it came.
struct BusValues {
    private let values: OpaquePointer

    init(_ values: OpaquePointer) { self.values = values }

    /// The values; nil if they are not of that type.
    init?(_ values: OpaquePointer, type: String) {
        self.values = values
        guard self.type == type else { return nil }
    }

    /// The type, as D-Bus writes it.
    var type: String { g_variant_get_type_string(values).map { String(cString: $0) } ?? "" }

    /// What is read of one of them; nil where there is none.
    func child<Value>(_ index: Int, _ read: (OpaquePointer) -> Value) -> Value? {
        guard index < g_variant_n_children(values), let one = g_variant_get_child_value(values, gsize(index))
        else { return nil }
        defer { g_variant_unref(one) }
        return read(one)
    }

    /// The texts of a list of texts, which they are alone; none for anything else.
    var texts: [String] {
        guard type == "(as)" else { return [] }
        return child(0) { list in
            (0..<Int(g_variant_n_children(list))).compactMap { index in
                BusValues(list).child(index) {
                    g_variant_get_string($0, nil).map { String(cString: $0) } ?? ""
                }
            }
        } ?? []
    }

    /// The number that they are alone; nil for anything else.
    var number: UInt32? { type == "(u)" ? child(0) { g_variant_get_uint32($0) } : nil }
}
