// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import CSecret
internal import GLibBridge

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
        do throws(GLibError) {
            let bus = try DBusConnection.connectAndWait(to: .session)
            // A service that was started by hand is on the bus, but the bus could not start it.
            if (try? bus.callAndWait(.bus, "GetNameOwner", [.string(Self.busName)])) != nil { return }
            _ = try bus.callAndWait(.bus, "StartServiceByName", [.string(Self.busName), .uint32(0)])
        } catch {
            throw Self.isRefusal(error) ? .refused(error.message) : .absent(error.message)
        }
    }

    private static let busName = "org.freedesktop.secrets"

    /// Whether a service that does not come up in time, or that the bus does not let us have, is there all the same.
    private static func isRefusal(_ error: GLibError) -> Bool {
        let refusals = [
            G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT, G_DBUS_ERROR_ACCESS_DENIED,
            G_DBUS_ERROR_LIMITS_EXCEEDED, G_DBUS_ERROR_NO_MEMORY,
        ]
        return refusals.contains { error.matches(g_dbus_error_quark(), $0.rawValue) }
            || error.matches(g_io_error_quark(), G_IO_ERROR_TIMED_OUT.rawValue)
    }

    /// Keeps a password in place of the one before.
    func store(_ password: String, label: String) throws(Failure) {
        _ = try checked {
            secret_password_storev_sync($0, $1, SECRET_COLLECTION_DEFAULT, label, password, nil, $2)
        }
    }

    /// The password; nil where there is none.
    func lookup() throws(Failure) -> String? {
        if let password = try checked({ secret_password_lookupv_sync($0, $1, nil, $2) }) {
            defer { secret_password_free(password) }
            return String(cString: password)
        }
        // One that a person did not open is there all the same.
        guard try !isThere() else { throw .refused("it is locked") }
        return nil
    }

    /// Removes the password; one that is not there is removed.
    func clear() throws(Failure) {
        _ = try checked { secret_password_clearv_sync($0, $1, nil, $2) }
    }

    private func isThere() throws(Failure) -> Bool {
        let found = try checked { secret_password_searchv_sync($0, $1, SECRET_SEARCH_NONE, nil, $2) }
        defer { g_list_free_full(found) { g_object_unref($0) } }
        return found != nil
    }

    private func checked<Result>(
        _ body: (
            UnsafeMutablePointer<SecretSchema>?, OpaquePointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
        ) -> Result
    ) throws(Failure) -> Result {
        do throws(GLibError) {
            return try GLibError.check { error in withAttributes { body($0, $1, error) } }
        } catch {
            throw .refused(error.message)
        }
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
}
