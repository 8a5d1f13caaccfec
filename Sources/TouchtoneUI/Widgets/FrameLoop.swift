// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A movement that follows the frames of a widget; nothing runs before and after it.
@MainActor
final class FrameLoop {
    /// Whether the movement is under way.
    var isRunning: Bool { callback != 0 }
    private let widget: Widget
    private var start: gint64?
    private var callback: guint = 0

    init(_ widget: Widget) { self.widget = widget }

    /// Begins a movement.
    ///
    /// - Parameter body: Called in each frame with the time since the first one, in seconds; the movement ends when it returns
    ///   false.
    func begin(_ body: @escaping @MainActor (Double) -> Bool) {
        end()
        start = nil
        let tick = Box<@MainActor (gint64) -> Bool> { [weak self] in self?.advance(to: $0, body) ?? false }
        callback = gtk_widget_add_tick_callback(
            widget,
            { _, clock, data in
                let time = gdk_frame_clock_get_frame_time(clock)
                nonisolated(unsafe) var goesOn = false  // On the main thread, in this call.
                Box<@MainActor (gint64) -> Bool>.call(data) { goesOn = $0(time) }
                return goesOn ? 1 : 0
            }, tick.retained,
            { data in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            })
    }

    func end() {
        if callback != 0 { gtk_widget_remove_tick_callback(widget, callback) }
        callback = 0
    }

    private func advance(to time: gint64, _ body: @MainActor (Double) -> Bool) -> Bool {
        let start = self.start ?? time
        self.start = start
        let goesOn = body(Double(time - start) / 1e6)
        // GTK removes the callback when this returns.
        if !goesOn { callback = 0 }
        return goesOn
    }
}
