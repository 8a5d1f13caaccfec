// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import Glibc

/// A file descriptor that another program has passed, closed when this object is released.
public final class ReceivedDescriptor: Sendable {
    private let number: Int32

    fileprivate init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}

extension DBusConnection {
    /// Calls a method whose only result is a file descriptor (`h`), and returns that; others are errors.
    @MainActor
    public func callForDescriptor(
        _ object: DBusObject, _ method: String, _ arguments: [Variant] = [], startsService: Bool = true
    ) async throws(GLibError) -> ReceivedDescriptor {
        let tuple = Variant.tuple(arguments)
        defer { withExtendedLifetime(tuple) {} }
        var received: UnsafeMutablePointer<GUnixFDList>?
        let answer = try await GIO.call {
            g_dbus_connection_call_with_unix_fd_list(
                pointer, object.service, object.path, object.interface, method, tuple.pointer, nil,
                startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, nil, $0, $1
            )
        } finish: { result, error in
            g_dbus_connection_call_with_unix_fd_list_finish(pointer, &received, result, error)
        }
        // The list closes the descriptors that remain in it.
        defer { if let received { g_object_unref(received) } }
        let values = Variant(taking: try GLibError.unwrap { _ in answer })
        guard values.type == "(h)", let received, g_unix_fd_list_get_length(received) == 1 else {
            throw GLibError(domain: "bridge", message: "the reply to \(method) has no descriptor")
        }
        return ReceivedDescriptor(try GLibError.check { g_unix_fd_list_get(received, 0, $0) })
    }
}
