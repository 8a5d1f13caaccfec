// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

/// An observer of the installed desktop apps and of the user's preferred ones: GIO watches their folders
/// anyway, once it was asked for an app, and reports the next change only after the next query.
@MainActor
final class TelHandlerWatch {
    private let monitor: GObjectRef
    private let connection: gulong

    init(_ changed: @escaping @MainActor () -> Void) {
        // GIO reports in the context in which the monitor was created: the main thread's.
        monitor = GObjectRef(taking: UnsafeMutableRawPointer(g_app_info_monitor_get()))
        connection = Signal.connect(monitor.object, "changed", changed)
    }

    isolated deinit { Signal.disconnect(monitor.object, connection) }
}
