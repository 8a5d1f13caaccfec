// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import GtkBridge

/// The frames of a window: how long each took, from when its work began until the X server had drawn it.
@MainActor
final class Frames {
    private let clock: OpaquePointer
    private var began: gint64 = 0
    private var start: gint64 = 0
    private var processorBegan: gint64 = 0
    private var times: [Double] = []
    private var processorTimes: [Double] = []
    /// What is waited for, and whether a frame has shown it.
    private var condition: (@MainActor () -> Bool)?
    private var isOver = false
    /// How many there were.
    private(set) var count = 0
    /// Milliseconds from `begin` to the end of the last frame.
    private(set) var elapsed = 0.0

    init(of window: UnsafeMutablePointer<GtkWidget>) {
        clock = gtk_widget_get_frame_clock(window)
        Signal.connect(UnsafeMutableRawPointer(clock), "before-paint") { [weak self] in
            guard let self else { return }
            (began, processorBegan) = (g_get_monotonic_time(), processorTime)
        }
        Signal.connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.ended() }
    }

    private func ended() {
        // The server draws behind the program's back.
        gdk_display_sync(gdk_display_get_default())
        let now = g_get_monotonic_time()
        times.append(Double(now - began) / 1000)
        processorTimes.append(Double(processorTime - processorBegan) / 1000)
        count += 1
        if isOver { return }
        elapsed = Double(now - start) / 1000
        if let condition, condition() { isOver = true }
    }

    /// Counts anew.
    func begin() {
        (times, processorTimes, isOver, condition) = ([], [], false, nil)
        start = g_get_monotonic_time()
    }

    /// Runs the main loop until the next frame is drawn.
    func waitForNext() {
        let before = count
        gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT)
        waitUntil { count > before }
    }

    /// Runs the main loop until a frame is drawn in which something holds.
    func wait(_ condition: @escaping @MainActor () -> Bool) {
        isOver = false
        self.condition = condition
        waitUntil {
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT)
            return isOver
        }
    }

    /// The longest, in milliseconds.
    var worst: Double { times.max() ?? 0 }

    /// What so large a part of the frames took no longer than.
    func percentile(_ part: Double) -> Double {
        Self.percentile(part, of: times)
    }

    /// The same of the time that the processor worked for this program's main thread: other programs take none of it.
    func processorPercentile(_ part: Double) -> Double { Self.percentile(part, of: processorTimes) }

    private static func percentile(_ part: Double, of times: [Double]) -> Double {
        let sorted = times.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// Microseconds of this thread's on the processor.
    private var processorTime: gint64 { gint64(processorMilliseconds() * 1000) }
}

/// Milliseconds of this thread's on the processor: what other programs take is none of it.
func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// How long the main loop was held up by what it does between two looks at what has happened.
@MainActor
enum Turns {
    /// The longest, in milliseconds on the processor.
    private(set) static var longest = 0.0

    /// Counts anew.
    static func begin() { longest = 0 }

    /// Does what is to be done next, or waits for it.
    static func next() {
        let before = processorMilliseconds()
        g_main_context_iteration(nil, 1)
        longest = max(longest, processorMilliseconds() - before)
    }
}
