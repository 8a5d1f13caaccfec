// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import CSecret

/// One password in the desktop's keyring (Secret Service), under the program's schema.
///
/// Every call waits: for the bus, and for as long as it takes a person to open the keyring. To be called on a thread
/// that has the time.
struct Keyring: Sendable {
    /// Why the keyring has not done what it was asked.
    enum Failure: Error, Hashable {
        /// There is no Secret Service on the bus, or no bus.
        case absent(String)
        /// It is there, and said no or nothing.
        case refused(String)
    }

    /// The name of the schema, which other programs know the passwords by.
    static let schemaName = "io.github.touchtone.Touchtone.Password"

    /// What the password is for: `passcode`, `xmpp`, `sip`.
    let service: String
    /// Whose it is.
    let account: String

    /// Makes sure that there is a Secret Service, which may have to be started.
    func find() throws(Failure) {
        var error: UnsafeMutablePointer<GError>?
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
            throw .absent(Self.reason(&error))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
        // A service that was started by hand is on the bus, but the bus could not start it.
        guard !Self.ask(bus, "GetNameOwner", [g_variant_new_string(Self.busName)], nil) else { return }
        let arguments = [g_variant_new_string(Self.busName), g_variant_new_uint32(0)]
        guard !Self.ask(bus, "StartServiceByName", arguments, &error) else { return }
        // One that does not come up in time, or that the bus does not let us have, is there all the same.
        let refusals = [
            G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT, G_DBUS_ERROR_ACCESS_DENIED,
            G_DBUS_ERROR_LIMITS_EXCEEDED, G_DBUS_ERROR_NO_MEMORY,
        ]
        let isThere =
            refusals.contains { g_error_matches(error, g_dbus_error_quark(), gint($0.rawValue)) != 0 }
            || g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_TIMED_OUT.rawValue)) != 0
        let reason = Self.reason(&error)
        throw isThere ? .refused(reason) : .absent(reason)
    }

    private static let busName = "org.freedesktop.secrets"

    /// Whether the bus answers a question with anything but an error.
    private static func ask(
        _ bus: OpaquePointer, _ method: String, _ arguments: [OpaquePointer?],
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> Bool {
        let answer = g_dbus_connection_call_sync(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
            g_variant_new_tuple(arguments, gsize(arguments.count)), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil,
            error)
        defer { answer.map { g_variant_unref($0) } }
        return answer != nil
    }

    /// Keeps a password in place of the one before.
    func store(_ password: String, label: String) throws(Failure) {
        var error: UnsafeMutablePointer<GError>?
        let done = withAttributes {
            secret_password_storev_sync($0, $1, SECRET_COLLECTION_DEFAULT, label, password, nil, &error)
        }
        guard done != 0 else { throw .refused(Self.reason(&error)) }
    }

    /// The password; nil where there is none.
    func lookup() throws(Failure) -> String? {
        var error: UnsafeMutablePointer<GError>?
        let password = withAttributes { secret_password_lookupv_sync($0, $1, nil, &error) }
        if let password {
            defer { secret_password_free(password) }
            return String(cString: password)
        }
        if error != nil { throw .refused(Self.reason(&error)) }
        // One that a person did not open is there all the same.
        guard try !isThere() else { throw .refused("it is locked") }
        return nil
    }

    /// Removes the password; one that is not there is removed.
    func clear() throws(Failure) {
        var error: UnsafeMutablePointer<GError>?
        _ = withAttributes { secret_password_clearv_sync($0, $1, nil, &error) }
        if error != nil { throw .refused(Self.reason(&error)) }
    }

    private func isThere() throws(Failure) -> Bool {
        var error: UnsafeMutablePointer<GError>?
        let found = withAttributes { secret_password_searchv_sync($0, $1, SECRET_SEARCH_NONE, nil, &error) }
        if error != nil { throw .refused(Self.reason(&error)) }
        defer { g_list_free_full(found) { g_object_unref($0) } }
        return found != nil
    }

    private func withAttributes<Result>(
        _ body: (UnsafeMutablePointer<SecretSchema>?, OpaquePointer?) -> Result
    ) -> Result {
        let names = g_hash_table_new(g_str_hash, g_str_equal)
        let values = g_hash_table_new_full(g_str_hash, g_str_equal, nil, { g_free($0) })
        defer {
            g_hash_table_unref(names)
            g_hash_table_unref(values)
            // libsecret would keep its session with a keyring that is started anew, and be refused for ever.
            secret_service_disconnect()
        }
        return "service".withCString { first in
            "account".withCString { second in
                for (name, value) in [(first, service), (second, account)] {
                    let key = UnsafeMutableRawPointer(mutating: name)
                    // SECRET_SCHEMA_ATTRIBUTE_STRING is 0.
                    g_hash_table_insert(names, key, nil)
                    g_hash_table_insert(values, key, g_strdup(value))
                }
                let schema = secret_schema_newv(Self.schemaName, SECRET_SCHEMA_NONE, names)
                defer { secret_schema_unref(schema) }
                return body(schema, values)
            }
        }
    }

    /// The message of an error, which is freed.
    private static func reason(_ error: inout UnsafeMutablePointer<GError>?) -> String {
        guard let given = error else { return "" }
        defer {
            g_error_free(given)
            error = nil
        }
        return String(cString: given.pointee.message)
    }
}
