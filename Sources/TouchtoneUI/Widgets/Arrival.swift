// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The arrival of something new, such as a message: it fades in and rises.
@MainActor
final class Arrival {
    /// Whether it is still rising.
    var isRunning: Bool { frames.isRunning }
    private let widget: Widget
    /// The part of the way that it has risen, from 0 to 1.
    private var progress = 1.0
    private let frames: FrameLoop

    /// The length of the movement in seconds, and its distance in layout pixels.
    private let length, distance: Double

    /// - Parameters:
    ///   - widget: The widget that rises, and owns the arrival.
    ///   - length: The length of the movement, in seconds.
    ///   - distance: The distance by which it rises, in layout pixels.
    init(_ widget: Widget, length: Double = 0.16, distance: Double = 8) {
        (self.widget, frames) = (widget, FrameLoop(widget))
        (self.length, self.distance) = (length, distance)
        Signal.connectDraw(widget) { [weak self] cairo in
            guard let self, progress < 1 else { return }
            // The widget draws itself after this, in the same coordinates.
            cairo_translate(cairo, 0, distance * (1 - progress))
        }
    }

    /// Begins the movement, unless the desktop asks for none.
    func begin() {
        end()
        guard widget.isAnimated, gtk_widget_get_mapped(widget) != 0 else { return }
        show(0)
        frames.begin { [weak self] in self?.advance(to: $0) ?? false }
    }

    /// Shows it at its place.
    func end() {
        frames.end()
        show(1)
    }

    private func advance(to time: Double) -> Bool {
        let part = min(1, time / length)
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
