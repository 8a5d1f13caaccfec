// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// A connection to a message bus, for calls and signals.
///
/// Calls are made on the main thread, and replies and signals arrive there, in the order in which the bus sent them.
/// Functions named `…AndWait` block instead: call them on a `BackgroundThread`, never on the main thread.
public final class DBusConnection: @unchecked Sendable {  // A GDBusConnection can be used on any thread.
    public enum Bus: Sendable {
        case session
        case system

        fileprivate var type: GBusType { self == .session ? G_BUS_TYPE_SESSION : G_BUS_TYPE_SYSTEM }
    }

    let pointer: OpaquePointer
    private let isPrivate: Bool

    private init(taking pointer: OpaquePointer, isPrivate: Bool = false) {
        (self.pointer, self.isPrivate) = (pointer, isPrivate)
    }

    deinit {
        if isPrivate { g_dbus_connection_close_sync(pointer, nil, nil) }
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// Connects to a bus, through the connection that the whole program shares.
    @MainActor
    public static func connect(to bus: Bus) async throws(GLibError) -> DBusConnection {
        let pointer = try await GIO.call {
            g_bus_get(bus.type, nil, $0, $1)
        } finish: { result, error in
            g_bus_get_finish(result, error)
        }
        return try shared(pointer)
    }

    /// Connects through a connection of its own; its name and all that it offers end when it is released.
    @MainActor
    public static func connectPrivately(to bus: Bus) async throws(GLibError) -> DBusConnection {
        // The address of a bus to which the program is connected is known without waiting.
        _ = try await connect(to: bus)
        let address = try GLibError.unwrap { g_dbus_address_get_for_bus_sync(bus.type, nil, $0) }
        defer { g_free(address) }
        let pointer = try await GIO.call {
            g_dbus_connection_new_for_address(address, privateFlags, nil, nil, $0, $1)
        } finish: { result, error in
            g_dbus_connection_new_for_address_finish(result, error)
        }
        return DBusConnection(taking: try GLibError.unwrap { _ in pointer }, isPrivate: true)
    }

    private static var privateFlags: GDBusConnectionFlags {
        GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    }

    /// The name of this connection on its bus, such as `:1.42`.
    public var uniqueName: String {
        g_dbus_connection_get_unique_name(pointer).map { String(cString: $0) } ?? ""
    }

    private static func shared(_ pointer: OpaquePointer?) throws(GLibError) -> DBusConnection {
        let connection = DBusConnection(taking: try GLibError.unwrap { _ in pointer })
        connection.keepsProgram()
        return connection
    }

    /// Lets the program go on when the bus ends: GIO would exit at once, in the middle of calls and with unsaved drafts.
    private func keepsProgram() { g_dbus_connection_set_exit_on_close(pointer, 0) }

    /// The connection on which a `GApplication` has its name; nil if it has none.
    @MainActor
    public static func of(_ application: GObjectRef) -> DBusConnection? {
        guard let bus = g_application_get_dbus_connection(application.cast()) else { return nil }
        return DBusConnection(taking: OpaquePointer(g_object_ref(UnsafeMutableRawPointer(bus))))
    }

    /// Runs `ended` once on the main thread when a `GApplication` loses the session bus; the program goes on.
    @MainActor
    public static func watchEnd(of application: GObjectRef, _ ended: @escaping @MainActor () -> Void) {
        guard let bus = g_application_get_dbus_connection(application.cast()) else { return }
        g_dbus_connection_set_exit_on_close(bus, 0)
        let trampoline: @convention(c) (gpointer?, gboolean, gpointer?, gpointer?) -> Void = {
            _, _, _, data in
            Box<@MainActor () -> Void>.call(data) { $0() }
        }
        Signal.connect(UnsafeMutableRawPointer(bus), "closed", trampoline, ended)
    }
}

// MARK: - Calls

/// An object of a service, with one of its interfaces.
public struct DBusObject: Hashable, Sendable {
    let service: String
    let path: String
    let interface: String

    /// `interface` is by default the one with the name of the service.
    public init(_ service: String, path: String, interface: String? = nil) {
        (self.service, self.path, self.interface) = (service, path, interface ?? service)
    }

    public static let bus = DBusObject("org.freedesktop.DBus", path: "/org/freedesktop/DBus")
}

extension DBusConnection {
    /// Sends a call at once, and runs `answered` on the main thread with the results as a tuple or the error.
    @MainActor
    public func call(
        _ object: DBusObject, _ method: String, _ arguments: [Variant] = [], startsService: Bool = true,
        answered: @escaping @MainActor (Result<Variant, GLibError>) -> Void
    ) {
        let tuple = Variant.tuple(arguments)
        defer { withExtendedLifetime(tuple) {} }
        g_dbus_connection_call(
            pointer, object.service, object.path, object.interface, method, tuple.pointer, nil,
            startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil,
            { source, result, data in
                let answer = Result { () throws(GLibError) in
                    Variant(
                        taking: try GLibError.unwrap {
                            g_dbus_connection_call_finish(OpaquePointer(source), result, $0)
                        })
                }
                Box<@MainActor (Result<Variant, GLibError>) -> Void>.callOnce(data) { $0(answer) }
            }, Box(answered).retained)
    }

    /// Calls a method, and returns its results as a tuple.
    @MainActor
    public func call(
        _ object: DBusObject, _ method: String, _ arguments: [Variant] = [], startsService: Bool = true
    ) async throws(GLibError) -> Variant {
        try await withCheckedContinuation { continuation in
            call(object, method, arguments, startsService: startsService) {
                continuation.resume(returning: $0)
            }
        }.get()
    }

    /// Returns whether a service is running; it is not started.
    @MainActor
    public func isRunning(_ name: String) async -> Bool {
        (try? await call(.bus, "NameHasOwner", [.string(name)], startsService: false)[0]?.bool) ?? false
    }

    /// Returns whether a service is running or can be started for a call; it is not started.
    @MainActor
    public func hasService(_ name: String) async -> Bool {
        for method in ["ListActivatableNames", "ListNames"] {
            let names = try? await call(.bus, method, startsService: false)[0]?.strings
            if names?.contains(name) == true { return true }
        }
        return false
    }
}

// MARK: - Signals

/// The subscription to a signal, which ends when this object is released.
@MainActor
public final class DBusSubscription {
    private let connection: DBusConnection
    private let number: UInt32

    fileprivate init(_ connection: DBusConnection, _ number: UInt32) {
        (self.connection, self.number) = (connection, number)
    }

    isolated deinit { g_dbus_connection_signal_unsubscribe(connection.pointer, number) }
}

extension DBusConnection {
    /// Runs `heard` on the main thread for each signal of a name, with its interface and its values as a tuple.
    ///
    /// A nil sender, interface or path matches any; `argument` must be the signal's first value.
    @MainActor
    public func listen(
        to signal: String, sender: String? = nil, interface: String? = nil, path: String? = nil,
        argument: String? = nil, _ heard: @escaping @MainActor (String, Variant) -> Void
    ) -> DBusSubscription {
        let number = g_dbus_connection_signal_subscribe(
            pointer, sender, interface, signal, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, interface, _, values, data in
                guard let interface, let values else { return }
                let (name, tuple) = (String(cString: interface), Variant(sinking: values))
                Box<@MainActor (String, Variant) -> Void>.call(data) { $0(name, tuple) }
            }, Box(heard).retained,
            { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
        return DBusSubscription(self, number)
    }

    /// Runs `heard` on the main thread for each signal of any object of a service, with the object's path and the values
    /// as a tuple; `argument` must be the signal's first value.
    @MainActor
    public func listen(
        to signal: String, ofAnyObjectOf service: String, interface: String, argument: String? = nil,
        _ heard: @escaping @MainActor (_ path: String, Variant) -> Void
    ) -> DBusSubscription {
        let number = g_dbus_connection_signal_subscribe(
            pointer, service, interface, signal, nil, argument, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, path, _, _, values, data in
                guard let path, let values else { return }
                let (name, tuple) = (String(cString: path), Variant(sinking: values))
                Box<@MainActor (String, Variant) -> Void>.call(data) { $0(name, tuple) }
            }, Box(heard).retained,
            { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
        return DBusSubscription(self, number)
    }

    /// Runs `heard` on the main thread for each signal of an object, with its values as a tuple.
    @MainActor
    public func listen(
        to signal: String, of object: DBusObject, _ heard: @escaping @MainActor (Variant) -> Void
    ) -> DBusSubscription {
        listen(to: signal, sender: object.service, interface: object.interface, path: object.path) {
            heard($1)
        }
    }

    /// Runs `changed` on the main thread when a service changes or loses its owner.
    @MainActor
    public func watchOwner(of service: String, _ changed: @escaping @MainActor () -> Void) -> DBusSubscription
    {
        listen(
            to: "NameOwnerChanged", sender: DBusObject.bus.service, interface: DBusObject.bus.interface,
            argument: service
        ) { _, _ in changed() }
    }
}

// MARK: - Blocking calls

extension DBusConnection {
    /// Connects to a bus as `connect(to:)` does, and blocks until it is connected.
    public static func connectAndWait(to bus: Bus) throws(GLibError) -> DBusConnection {
        try shared(try GLibError.unwrap { g_bus_get_sync(bus.type, nil, $0) })
    }

    /// Connects privately, and blocks until that is done; released, it leaves no thread or descriptor.
    public static func connectPrivatelyAndWait(to bus: Bus) throws(GLibError) -> DBusConnection {
        let address = try GLibError.unwrap { g_dbus_address_get_for_bus_sync(bus.type, nil, $0) }
        defer { g_free(address) }
        let pointer = try GLibError.unwrap {
            g_dbus_connection_new_for_address_sync(address, privateFlags, nil, nil, $0)
        }
        return DBusConnection(taking: pointer, isPrivate: true)
    }

    /// Calls a method, and blocks until its results, a tuple, arrive; a timeout of -1 means 25 seconds.
    public func callAndWait(
        _ object: DBusObject, _ method: String, _ arguments: [Variant] = [], milliseconds: Int32 = -1
    ) throws(GLibError) -> Variant {
        let tuple = Variant.tuple(arguments)
        defer { withExtendedLifetime(tuple) {} }
        return Variant(
            taking: try GLibError.unwrap {
                g_dbus_connection_call_sync(
                    pointer, object.service, object.path, object.interface, method, tuple.pointer, nil,
                    G_DBUS_CALL_FLAGS_NONE, milliseconds, nil, $0)
            })
    }
}
