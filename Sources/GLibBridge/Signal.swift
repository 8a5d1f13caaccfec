// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// Connects closures to GObject signals, one function for each C signature of a handler.
///
/// The closure lives as long as the connection: GObject releases it when the object is finalised or the handler
/// disconnected, whichever comes first. So a closure that holds the object (or what owns it) keeps both for ever:
/// capture it weakly. Handlers run on the main thread.
@MainActor
public enum Signal {
    /// Connects to a signal without arguments that matter: `void handler(instance, …at maximum two…, data)`.
    @discardableResult
    public static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String, _ handler: @escaping @MainActor () -> Void
    ) -> gulong {
        let trampoline: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
            Box<@MainActor () -> Void>.call(data) { $0() }
        }
        return connect(instance, name, trampoline, handler)
    }

    /// Connects to `notify::PROPERTY`, or to another signal with one argument that does not matter.
    @discardableResult
    public static func connectNotify(
        _ instance: UnsafeMutableRawPointer, _ name: String, _ handler: @escaping @MainActor () -> Void
    ) -> gulong {
        let trampoline: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
            Box<@MainActor () -> Void>.call(data) { $0() }
        }
        return connect(instance, name, trampoline, handler)
    }

    /// Connects to a signal with one pointer: `void handler(instance, pointer, data)`.
    @discardableResult
    public static func connectPointer(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        _ handler: @escaping @MainActor (UnsafeMutableRawPointer?) -> Void
    ) -> gulong {
        let trampoline: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, argument, data in
            nonisolated(unsafe) let argument = argument  // It stays on this, the main, thread.
            Box<@MainActor (UnsafeMutableRawPointer?) -> Void>.call(data) { $0(argument) }
        }
        return connect(instance, name, trampoline, handler)
    }

    /// Sends a signal of an object's that takes nothing and returns nothing.
    ///
    /// `g_signal_emit` is variadic.
    public static func emit(_ instance: UnsafeMutableRawPointer, _ name: String) {
        let object = instance.assumingMemoryBound(to: GObject.self)
        var value = GValue()
        g_value_init(&value, object.pointee.g_type_instance.g_class.pointee.g_type)
        g_value_set_object(&value, instance)
        g_signal_emitv(&value, g_signal_lookup(name, value.g_type), 0, nil)
        g_value_unset(&value)
    }

    /// Ends a connection that one of the others began.
    public static func disconnect(_ instance: UnsafeMutableRawPointer, _ connection: gulong) {
        g_signal_handler_disconnect(instance, connection)
    }

    /// The connection itself: the box is retained for GObject, which releases it by the notify.
    ///
    /// - Parameter trampoline: a `@convention(c)` function with the signature of the signal's handlers, whose last
    ///   argument is the address of the box.
    @discardableResult
    public static func connect<Trampoline, Handler>(
        _ instance: UnsafeMutableRawPointer, _ name: String, _ trampoline: Trampoline, _ handler: Handler
    ) -> gulong {
        g_signal_connect_data(
            // G_CALLBACK: GObject keeps functions of all signatures as one type, and calls each by its signal's.
            instance, name, unsafeBitCast(trampoline, to: GCallback.self), Box(handler).retained,
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }
}
