// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// Tells when programs of the desktop come, go or are preferred to others.
///
/// GIO watches the folders of desktop entries anyway, once it was asked for a program; it tells again after the next
/// question.
@MainActor
final class TelHandlerWatch {
    private let monitor: OpaquePointer
    private let connection: gulong

    /// - Parameter changed: called on the main thread.
    init(_ changed: @escaping @MainActor () -> Void) {
        monitor = g_app_info_monitor_get()
        let box = Unmanaged.passRetained(Handler(changed))
        let trampoline: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
            guard let data else { return }
            // GIO tells in the context that the monitor was got in: the main thread's.
            nonisolated(unsafe) let handler = data
            MainActor.assumeIsolated {
                Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue().changed()
            }
        }
        connection = g_signal_connect_data(
            // GObject calls every handler by its real signature; the type here is G_CALLBACK's.
            UnsafeMutableRawPointer(monitor), "changed", unsafeBitCast(trampoline, to: GCallback.self),
            box.toOpaque(),
            { data, _ in data.map { Unmanaged<Handler>.fromOpaque($0).release() } },
            GConnectFlags(rawValue: 0))
    }

    isolated deinit {
        g_signal_handler_disconnect(UnsafeMutableRawPointer(monitor), connection)
        g_object_unref(UnsafeMutableRawPointer(monitor))
    }

    private final class Handler {
        let changed: @MainActor () -> Void

        init(_ changed: @escaping @MainActor () -> Void) { self.changed = changed }
    }
}
