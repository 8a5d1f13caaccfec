// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The arrival of a new message: it fades in and rises.
@MainActor
final class Arrival {
    /// Whether the message is still rising.
    var isRunning: Bool { callback != 0 }
    private let widget: Widget
    /// The part of the way that the message has risen, from 0 to 1.
    private var progress = 1.0
    private var start: gint64?
    private var callback: guint = 0

    /// The length of the movement, in seconds.
    private static let length = 0.16
    /// The distance by which a message rises, in layout pixels.
    private static let distance = 8.0

    /// - Parameter widget: The widget that rises, and owns the arrival.
    init(_ widget: Widget) {
        self.widget = widget
        Signal.connectDraw(widget) { [weak self] cairo in
            guard let self, progress < 1 else { return }
            // The widget draws itself after this, in the same coordinates.
            cairo_translate(cairo, 0, Self.distance * (1 - progress))
        }
    }

    /// Begins the movement, unless the desktop asks for none.
    func begin() {
        end()
        guard widget.isAnimated, gtk_widget_get_mapped(widget) != 0 else { return }
        start = nil
        show(0)
        let body = Box<@MainActor (gint64) -> Bool> { [weak self] in self?.advance(to: $0) ?? false }
        callback = gtk_widget_add_tick_callback(
            widget,
            { _, clock, data in
                let time = gdk_frame_clock_get_frame_time(clock)
                nonisolated(unsafe) var goesOn = false  // On the main thread, in this call.
                Box<@MainActor (gint64) -> Bool>.call(data) { goesOn = $0(time) }
                return goesOn ? 1 : 0
            }, body.retained,
            { data in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            })
    }

    /// Shows the message at its place.
    func end() {
        if callback != 0 { gtk_widget_remove_tick_callback(widget, callback) }
        callback = 0
        show(1)
    }

    private func advance(to time: gint64) -> Bool {
        let start = self.start ?? time
        self.start = start
        let part = min(1, Double(time - start) / 1e6 / Self.length)
        // It slows down towards its place.
        show(1 - (1 - part) * (1 - part))
        guard part >= 1 else { return true }
        // GTK removes the callback when this returns.
        callback = 0
        return false
    }

    private func show(_ progress: Double) {
        guard progress != self.progress else { return }
        self.progress = progress
        gtk_widget_set_opacity(widget, progress)
        gtk_widget_queue_draw(widget)
    }
}
