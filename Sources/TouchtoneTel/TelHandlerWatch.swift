// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

/// Tells when programs of the desktop come, go or are preferred to others.
///
/// GIO watches the folders of desktop entries anyway, once it was asked for a program; it tells again after the next
/// question.
@MainActor
final class TelHandlerWatch {
    private let monitor: GObjectRef
    private let connection: gulong

    /// - Parameter changed: called on the main thread.
    init(_ changed: @escaping @MainActor () -> Void) {
        // GIO tells in the context that the monitor was got in: the main thread's.
        monitor = GObjectRef(taking: UnsafeMutableRawPointer(g_app_info_monitor_get()))
        connection = Signal.connect(monitor.object, "changed", changed)
    }

    isolated deinit { Signal.disconnect(monitor.object, connection) }
}
