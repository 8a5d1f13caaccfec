// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// Connections of closures to GObject signals, with one function for each C signature of a handler.
///
/// GObject releases the closure when the object is finalized or the handler is disconnected, whichever comes first. A
/// closure that captures the object, or an owner of it, would therefore keep both alive: capture it weakly. Handlers
/// run on the main thread.
@MainActor
public enum Signal {
    /// Connects to a signal with up to two arguments, which are ignored: `void handler(instance, …, data)`.
    @discardableResult
    public static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String, _ handler: @escaping @MainActor () -> Void
    ) -> gulong {
        let trampoline: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
            Box<@MainActor () -> Void>.call(data) { $0() }
        }
        return connect(instance, name, trampoline, handler)
    }

    /// Connects to `notify::PROPERTY`, or to a different signal with one argument, which is ignored.
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
            nonisolated(unsafe) let argument = argument  // It stays on the main thread.
            Box<@MainActor (UnsafeMutableRawPointer?) -> Void>.call(data) { $0(argument) }
        }
        return connect(instance, name, trampoline, handler)
    }

    /// Emits a signal without arguments and return value; Swift cannot call the variadic `g_signal_emit`.
    public static func emit(_ instance: UnsafeMutableRawPointer, _ name: String) {
        let object = instance.assumingMemoryBound(to: GObject.self)
        var value = GValue()
        g_value_init(&value, object.pointee.g_type_instance.g_class.pointee.g_type)
        g_value_set_object(&value, instance)
        g_signal_emitv(&value, g_signal_lookup(name, value.g_type), 0, nil)
        g_value_unset(&value)
    }

    public static func disconnect(_ instance: UnsafeMutableRawPointer, _ connection: gulong) {
        g_signal_handler_disconnect(instance, connection)
    }

    /// Connects a C function; the box is retained for GObject, which releases it when the handler is disconnected.
    ///
    /// - Parameter trampoline: A `@convention(c)` function with the signature of the signal's handlers, whose last
    ///   argument is the address of the box.
    @discardableResult
    public static func connect<Trampoline, Handler>(
        _ instance: UnsafeMutableRawPointer, _ name: String, _ trampoline: Trampoline, _ handler: Handler
    ) -> gulong {
        g_signal_connect_data(
            // G_CALLBACK: GObject stores functions of all signatures as one type, and calls each by its signal's.
            instance, name, unsafeBitCast(trampoline, to: GCallback.self), Box(handler).retained,
            releaseBox, GConnectFlags(rawValue: 0))
    }
}

/// Releases the box of a handler, on any thread: a connection to the bus may be finalized on that of GDBus.
private func releaseBox(_ data: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}
