// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// An error that an exported object answers a call with.
public struct DBusError: Error, Hashable, Sendable {
    /// The name, such as `org.freedesktop.DBus.Error.InvalidArgs`.
    public let name: String
    public let message: String

    public init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }

    public static let invalidArguments = DBusError(
        "org.freedesktop.DBus.Error.InvalidArgs", "Invalid arguments")
}

/// An object that this program offers on a bus, until it is released.
@MainActor
public final class DBusExport {
    private let connection: DBusConnection
    private let path: String
    private let interface: String
    private let number: UInt32

    fileprivate init(_ connection: DBusConnection, path: String, interface: String, number: UInt32) {
        (self.connection, self.path, self.interface, self.number) = (connection, path, interface, number)
    }

    isolated deinit { g_dbus_connection_unregister_object(connection.pointer, number) }

    public func emit(_ signal: String, _ values: [Variant] = []) { emit(signal, of: interface, values) }

    /// Tells the new values of properties (`PropertiesChanged`).
    public func emitChanges(_ properties: [(key: String, value: Variant)]) {
        emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties",
            [.string(interface), .dictionary(properties), .strings([])])
    }

    private func emit(_ signal: String, of interface: String, _ values: [Variant]) {
        let tuple = Variant.tuple(values)
        defer { withExtendedLifetime(tuple) {} }
        // It fails only if the connection is closed; then nobody can hear it.
        g_dbus_connection_emit_signal(connection.pointer, nil, path, interface, signal, tuple.pointer, nil)
    }
}

/// The code behind an exported object.
@MainActor
private final class ExportedObject {
    let property: @MainActor (String) -> Variant?
    let answer: @MainActor (String, Variant) throws(DBusError) -> [Variant]

    init(
        property: @escaping @MainActor (String) -> Variant?,
        answer: @escaping @MainActor (String, Variant) throws(DBusError) -> [Variant]
    ) {
        (self.property, self.answer) = (property, answer)
    }
}

extension DBusConnection {
    /// Offers an object with one interface, which `description` has in the introspection format of D-Bus.
    ///
    /// GIO refuses calls and properties that it does not have, and arguments of other types. `called` gets
    /// the arguments as a tuple, and returns the results, or nil for invalid arguments.
    @MainActor
    public func export(
        _ description: String, at path: String, property: @escaping @MainActor (String) -> Variant?,
        called: @escaping @MainActor (String, Variant) -> [Variant]?
    ) throws(GLibError) -> DBusExport {
        try export(description, at: path, property: property) { (method, arguments) throws(DBusError) in
            guard let results = called(method, arguments) else { throw .invalidArguments }
            return results
        }
    }

    /// Offers an object as above; `answering` returns the results of a call, or throws the error that answers it.
    @MainActor
    public func export(
        _ description: String, at path: String,
        property: @escaping @MainActor (String) -> Variant? = { _ in nil },
        answering: @escaping @MainActor (String, Variant) throws(DBusError) -> [Variant]
    ) throws(GLibError) -> DBusExport {
        let node = try GLibError.unwrap { g_dbus_node_info_new_for_xml(description, $0) }
        defer { g_dbus_node_info_unref(node) }
        guard let interface = node.pointee.interfaces?.pointee, let name = interface.pointee.name else {
            throw GLibError(domain: "bridge", message: "the description has no interface")
        }
        // GIO copies the table.
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, _, method, arguments, invocation, data in
            guard let method, let arguments, let invocation, let data else { return }
            let (name, tuple) = (String(cString: method), Variant(sinking: arguments))
            nonisolated(unsafe) let address = data  // It stays on the main thread.
            let results = MainActor.assumeIsolated {
                let object = Unmanaged<ExportedObject>.fromOpaque(address).takeUnretainedValue()
                return Result { () throws(DBusError) in Variant.tuple(try object.answer(name, tuple)) }
            }
            switch results {
            case .success(let values): g_dbus_method_invocation_return_value(invocation, values.pointer)
            case .failure(let error):
                g_dbus_method_invocation_return_dbus_error(invocation, error.name, error.message)
            }
        }
        table.get_property = { _, _, _, _, property, error, data in
            guard let property, let data else { return nil }
            let name = String(cString: property)
            nonisolated(unsafe) let address = data  // It stays on the main thread.
            let value = MainActor.assumeIsolated {
                Unmanaged<ExportedObject>.fromOpaque(address).takeUnretainedValue().property(name)
            }
            guard let value else {
                g_set_error_literal(
                    error, g_dbus_error_quark(), gint(G_DBUS_ERROR_UNKNOWN_PROPERTY.rawValue),
                    "No such property")
                return nil
            }
            return g_variant_ref(value.pointer)
        }
        let object = ExportedObject(property: property, answer: answering)
        let data = Unmanaged.passRetained(object).toOpaque()
        let number = try GLibError.check {
            g_dbus_connection_register_object(
                pointer, path, interface, &table, data,
                { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } }, $0)
        }
        return DBusExport(self, path: path, interface: String(cString: name), number: number)
    }
}
