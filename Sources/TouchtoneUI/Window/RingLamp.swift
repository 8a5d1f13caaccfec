// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The lamp at the end of the stripes, which flashes while a call rings, and shines for messages and missed calls that the
/// user has not seen.
///
/// It is an ornament for the eye: the display and the keys say the same in words.
@MainActor
final class RingLamp {
    private let widget: Widget
    private let clock: any Scheduler
    private var timer: (any ScheduledTimer)?

    var isRinging = false { didSet { if isRinging != oldValue { begin() } } }
    /// Whether there are messages or missed calls that the user has not seen.
    var isWaiting = false { didSet { if isWaiting != oldValue, !isRinging { begin() } } }

    /// The durations of light and of darkness: two flashes a second, and a second of light in four.
    private static let flash: (on: Duration, off: Duration) = (.milliseconds(250), .milliseconds(250))
    private static let shine: (on: Duration, off: Duration) = (.seconds(1), .seconds(3))
    /// The number of times that it goes out for what waits; then it stays lit, so that the phone rests.
    private static let pauses = 4
    private var pausesLeft = 0

    init(_ widget: Widget, clock: any Scheduler) {
        (self.widget, self.clock) = (widget, clock)
        // Nothing wakes the machine for a lamp that nobody sees.
        for change in ["map", "unmap"] { Signal.connect(widget, change) { [weak self] in self?.begin() } }
    }

    private(set) var isLit = false {
        didSet { if isLit != oldValue { widget.set(style: "lit", isLit) } }
    }

    private func begin() {
        timer?.cancel()
        timer = nil
        isLit = isRinging || isWaiting
        pausesLeft = Self.pauses
        // Where the desktop wants no motion, the light is steady.
        if isLit, gtk_widget_get_mapped(widget) != 0, widget.isAnimated { wait() }
    }

    private func wait() {
        guard isRinging || !isLit || pausesLeft > 0 else { return }
        if isLit { pausesLeft -= 1 }
        let times = isRinging ? Self.flash : Self.shine
        timer = clock.schedule(after: isLit ? times.on : times.off) { [weak self] in
            guard let self else { return }
            guard widget.isAnimated else { return begin() }
            isLit.toggle()
            wait()
        }
    }
}
