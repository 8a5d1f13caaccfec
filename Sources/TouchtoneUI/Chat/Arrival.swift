// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The arrival of a new message: it fades in and rises.
@MainActor
final class Arrival {
    /// Whether the message is still rising.
    var isRunning: Bool { frames.isRunning }
    private let widget: Widget
    /// The part of the way that the message has risen, from 0 to 1.
    private var progress = 1.0
    private let frames: FrameLoop

    /// The length of the movement, in seconds.
    private static let length = 0.16
    /// The distance by which a message rises, in layout pixels.
    private static let distance = 8.0

    /// - Parameter widget: The widget that rises, and owns the arrival.
    init(_ widget: Widget) {
        (self.widget, frames) = (widget, FrameLoop(widget))
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
        show(0)
        frames.begin { [weak self] in self?.advance(to: $0) ?? false }
    }

    /// Shows the message at its place.
    func end() {
        frames.end()
        show(1)
    }

    private func advance(to time: Double) -> Bool {
        let part = min(1, time / Self.length)
        // It slows down towards its place.
        show(1 - (1 - part) * (1 - part))
        return part < 1
    }

    private func show(_ progress: Double) {
        guard progress != self.progress else { return }
        self.progress = progress
        gtk_widget_set_opacity(widget, progress)
        gtk_widget_queue_draw(widget)
    }
}
