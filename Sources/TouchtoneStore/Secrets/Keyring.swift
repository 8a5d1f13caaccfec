// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import CSecret
internal import GLibBridge
internal import Synchronization
internal import TouchtoneCore

/// One password in the desktop's keyring (Secret Service), under the program's schema.
///
/// Every call blocks: for the bus, for as long as a person takes to unlock the keyring, and for calls on other threads.
/// Call it on a background thread.
struct Keyring: Sendable {
    enum Failure: Error, Hashable {
        /// There is no Secret Service on the bus, or no bus.
        case absent(String)
        /// The Secret Service exists, but refused or did not respond.
        case refused(String)
    }

    /// The name of the schema, under which other programs find the passwords.
    static let schemaName = "io.github.touchtone.Touchtone.Password"

    /// The purpose of the password: `passcode`, `xmpp` or `sip`.
    let service: String
    let account: String

    /// Makes sure that there is a Secret Service, and starts it if necessary.
    func find() throws(Failure) {
        do throws(GLibError) {
            let bus = try DBusConnection.connectAndWait(to: .session)
            // A service that was started by hand is on the bus, although the bus could not start it.
            if (try? bus.callAndWait(.bus, "GetNameOwner", [.string(Self.busName)])) != nil { return }
            _ = try bus.callAndWait(.bus, "StartServiceByName", [.string(Self.busName), .uint32(0)])
        } catch {
            throw Self.isRefusal(error) ? .refused(error.message) : .absent(error.message)
        }
    }

    private static let busName = "org.freedesktop.secrets"

    /// Returns whether the service exists although it did not start in time or the bus denied access to it.
    private static func isRefusal(_ error: GLibError) -> Bool {
        let refusals = [
            G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT, G_DBUS_ERROR_ACCESS_DENIED,
            G_DBUS_ERROR_LIMITS_EXCEEDED, G_DBUS_ERROR_NO_MEMORY,
        ]
        return refusals.contains { error.matches(g_dbus_error_quark(), $0.rawValue) }
            || error.matches(g_io_error_quark(), G_IO_ERROR_TIMED_OUT.rawValue)
    }

    /// Stores a password, in place of the previous one.
    func store(_ password: String, label: String) throws(Failure) {
        _ = try checked {
            secret_password_storev_sync($0, $1, SECRET_COLLECTION_DEFAULT, label, password, nil, $2)
        }
    }

    /// Returns the password, or nil if there is none.
    func lookup() throws(Failure) -> String? {
        let found = try checked { schema, attributes, error -> String? in
            guard let password = secret_password_lookupv_sync(schema, attributes, nil, error) else {
                return nil
            }
            defer { secret_password_free(password) }
            return String(cString: password)
        }
        // A password in a collection that the user did not unlock exists, but cannot be read.
        if found == nil, try exists() { throw .refused(localized("it is locked")) }
        return found
    }

    /// Removes the password; a missing password is not an error.
    func clear() throws(Failure) {
        _ = try checked { secret_password_clearv_sync($0, $1, nil, $2) }
    }

    /// Returns whether the keyring has the password, locked or not.
    ///
    /// Only the service's own answer counts: libsecret returns nothing without an error, too, if a call of it fails.
    private func exists() throws(Failure) -> Bool {
        let attributes = [("xdg:schema", Self.schemaName), ("service", service), ("account", account)]
        let secrets = DBusObject(
            Self.busName, path: "/org/freedesktop/secrets", interface: "org.freedesktop.Secret.Service")
        do throws(GLibError) {
            let bus = try DBusConnection.connectAndWait(to: .session)
            let answer = try bus.callAndWait(secrets, "SearchItems", [.texts(attributes)])
            guard answer.type == "(aoao)" else { throw GLibError(domain: "keyring", message: answer.type) }
            return answer.children.contains { !$0.children.isEmpty }
        } catch {
            throw .refused(error.message)
        }
    }

    /// Held by the thread that uses libsecret.
    ///
    /// libsecret is not made for several threads: some of its types are registered twice if two threads use them first
    /// at the same moment, and the call of one of them then finds nothing; and all share the session that
    /// `secret_service_disconnect` ends.
    private static let turn = Mutex(())

    private func checked<Result: Sendable>(
        _ body: (
            UnsafeMutablePointer<SecretSchema>?, OpaquePointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
        ) -> Result
    ) throws(Failure) -> Result {
        do throws(GLibError) {
            return try Self.turn.withLock { _ throws(GLibError) in
                try GLibError.check { error in withAttributes { body($0, $1, error) } }
            }
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
            // libsecret would otherwise keep its session with a keyring that restarts, and be refused from then on.
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
