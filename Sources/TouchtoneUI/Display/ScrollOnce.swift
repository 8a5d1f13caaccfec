// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The single scroll of a text that is too long: it waits, moves to the text's end, waits, and returns to the beginning.
///
/// Nothing runs before and after the scroll.
@MainActor
final class ScrollOnce {
    /// The distance by which the text has moved, in layout pixels.
    private(set) var offset = 0.0
    /// Whether the scroll is under way, pauses included.
    var isRunning: Bool { frames.isRunning }
    private let widget: Widget
    private var motion = ScrollMotion(distance: 0, step: 1)
    private let frames: FrameLoop

    /// - Parameter widget: The widget that shows the text and owns the scroll.
    init(_ widget: Widget) { (self.widget, frames) = (widget, FrameLoop(widget)) }

    /// Begins a scroll in steps of a dot, all in layout pixels, unless the desktop asks for no animations.
    func begin(distance: Double, step: Double) {
        end()
        guard distance > 0, widget.isAnimated else { return }
        motion = ScrollMotion(distance: distance, step: step)
        frames.begin { [weak self] in self?.advance(to: $0) ?? false }
    }

    func end() {
        frames.end()
        move(to: 0)
    }

    private func advance(to time: Double) -> Bool {
        guard let offset = motion.offset(after: time) else {
            scrolled()
            return false
        }
        move(to: offset)
        return true
    }

    /// Shows the beginning of the text again, which is cut from now on.
    private func scrolled() {
        offset = 0
        gtk_widget_queue_draw(widget)
    }

    private func move(to offset: Double) {
        guard offset != self.offset else { return }
        self.offset = offset
        gtk_widget_queue_draw(widget)
    }
}

/// The course of a scroll over time.
struct ScrollMotion {
    /// The length of the movement and of its steps, in layout pixels.
    let distance, step: Double

    /// The time before the movement and at its end, in seconds.
    private static let pause = 1.5
    /// The number of steps in a second; a letter has six.
    private static let speed = 36.0

    /// Returns the distance moved after a time in seconds, in whole steps; nil once the scroll is over.
    func offset(after time: Double) -> Double? {
        let (moving, steps) = (time - Self.pause, (distance / step).rounded(.up))
        guard moving < steps / Self.speed + Self.pause else { return nil }
        return min(steps, max(0, (moving * Self.speed).rounded(.down))) * step
    }
}
