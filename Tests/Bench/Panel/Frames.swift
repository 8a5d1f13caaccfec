// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import GtkBridge

/// The frames of a window, and the time of each from the start of its work until the X server had drawn it.
@MainActor
final class Frames {
    private let clock: OpaquePointer
    private var began: gint64 = 0
    private var start: gint64 = 0
    private var processorBegan: gint64 = 0
    private var times: [Double] = []
    private var processorTimes: [Double] = []
    /// The awaited condition, and whether a frame has shown it.
    private var condition: (@MainActor () -> Bool)?
    private var isOver = false
    /// The number of frames.
    private(set) var count = 0
    /// Milliseconds from `begin` to the end of the last frame.
    private(set) var elapsed = 0.0
    /// The processor time of the main thread in that time, in milliseconds.
    private(set) var worked = 0.0
    private var workBegan = 0.0

    init(of window: UnsafeMutablePointer<GtkWidget>) {
        clock = gtk_widget_get_frame_clock(window)
        Signal.connect(UnsafeMutableRawPointer(clock), "before-paint") { [weak self] in
            guard let self else { return }
            (began, processorBegan) = (g_get_monotonic_time(), processorTime)
        }
        Signal.connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.ended() }
    }

    private func ended() {
        // The server draws asynchronously.
        gdk_display_sync(gdk_display_get_default())
        let now = g_get_monotonic_time()
        times.append(Double(now - began) / 1000)
        processorTimes.append(Double(processorTime - processorBegan) / 1000)
        count += 1
        if isOver { return }
        elapsed = Double(now - start) / 1000
        worked = processorMilliseconds() - workBegan
        if let condition, condition() { isOver = true }
    }

    /// Restarts the measurement.
    func begin() {
        (times, processorTimes, isOver, condition) = ([], [], false, nil)
        (start, workBegan) = (g_get_monotonic_time(), processorMilliseconds())
    }

    /// Runs the main loop until the next frame is drawn.
    func waitForNext() {
        let before = count
        gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT)
        waitUntil { count > before }
    }

    /// Runs the main loop until a frame is drawn in which a condition holds.
    func wait(_ condition: @escaping @MainActor () -> Bool) {
        isOver = false
        self.condition = condition
        waitUntil {
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT)
            return isOver
        }
    }

    /// The longest frame, in milliseconds.
    var worst: Double { times.max() ?? 0 }

    /// Returns the time that the given fraction of the frames did not exceed.
    func percentile(_ part: Double) -> Double {
        Self.percentile(part, of: times)
    }

    /// Returns the same for the processor time of this program's main thread, which excludes other programs.
    func processorPercentile(_ part: Double) -> Double { Self.percentile(part, of: processorTimes) }

    private static func percentile(_ part: Double, of times: [Double]) -> Double {
        let sorted = times.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// The processor time of this thread, in microseconds.
    private var processorTime: gint64 { gint64(processorMilliseconds() * 1000) }
}

/// Returns the processor time of this thread, in milliseconds, which excludes other programs.
func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// The time for which the main loop was blocked by its work between two polls for events.
@MainActor
enum Turns {
    /// The longest blocking, in milliseconds of processor time.
    private(set) static var longest = 0.0

    /// Restarts the measurement.
    static func begin() { longest = 0 }

    /// Runs the next pending work, or waits for it.
    static func next() { run { g_main_context_iteration(nil, 1) } }

    /// Runs a piece of work as one turn.
    static func run(_ body: () -> Void) {
        let before = processorMilliseconds()
        body()
        longest = max(longest, processorMilliseconds() - before)
    }
}
