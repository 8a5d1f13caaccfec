// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio
private import Dispatch

/// GLib's main loop as the main actor's executor, and as a clock.
///
/// Every closure runs on the main thread. A different thread schedules work there with `Task { @MainActor in … }`,
/// which wakes the loop; the tasks of one thread run in order.
@MainActor
public enum MainLoop {
    private static var source: guint = 0

    /// Integrates main-actor work into GLib's main loop.
    ///
    /// The main actor's jobs go to libdispatch's main queue, which nothing drains while GLib runs the main thread. The
    /// queue has a descriptor for run loops such as this one: GLib watches it, so that a job wakes the loop and an idle
    /// program sleeps. Call this once, on the main thread, before the loop runs; later calls do nothing.
    public static func attachMainActor() {
        guard source == 0 else { return }
        // Dispatch creates the descriptor for the thread that it considers the main one, and only on request.
        _ = DispatchQueue.main
        source = cglib_watch_descriptor(
            cglib_main_queue_fd(), false,
            { _, _, _ in
                cglib_main_queue_drain()
                return 1
            }, nil)
    }

    /// Runs all of Swift's tasks on the main thread, even those without an actor; tests turn it off.
    ///
    /// Otherwise each resumed `await` of the main actor goes through the thread pool, which costs two thread switches,
    /// and once the pool is used, libdispatch checks it every second for as long as the program runs. Call this before
    /// the first task. Long work has its own threads.
    public static func keepTasksOnMainThread(_ isOn: Bool = true) {
        cglib_keep_tasks_on_main_queue(isOn)
    }

    /// Runs `body` once after `milliseconds`, unless the timer is cancelled or released before.
    public static func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) -> Timer {
        Timer(milliseconds: milliseconds, body)
    }

    /// Runs `body` once, after the current event is handled and before the next frame is drawn.
    public static func soon(_ body: @escaping @MainActor () -> Void) { run(body, at: G_PRIORITY_DEFAULT) }

    /// Runs `body` once, when the loop has nothing else to do, and therefore after the frame that is being drawn.
    public static func afterFrame(_ body: @escaping @MainActor () -> Void) {
        run(body, at: G_PRIORITY_DEFAULT_IDLE)
    }

    private static func run(_ body: @escaping @MainActor () -> Void, at priority: gint) {
        g_idle_add_full(
            priority,
            { data in
                Box<@MainActor () -> Void>.callOnce(data) { $0() }
                return 0
            }, Box(body).retained, nil)
    }

    /// Runs the loop until a condition holds, but only briefly: for the program's end, when nobody waits.
    public static func run(upTo milliseconds: UInt32, until isDone: () -> Bool) {
        var isOver = false
        let limit = after(milliseconds: milliseconds) { isOver = true }
        while !isOver, !isDone() { g_main_context_iteration(nil, 1) }
        limit.cancel()
    }

    @MainActor
    public final class Timer {
        private var source: guint = 0
        private let body: @MainActor () -> Void

        init(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
            self.body = body
            // The source does not retain the timer, so that releasing the timer removes the source.
            source = g_timeout_add_full(
                G_PRIORITY_DEFAULT, milliseconds,
                { data in
                    guard let data else { return 0 }
                    MainActor.assumeIsolated {
                        Unmanaged<Timer>.fromOpaque(data).takeUnretainedValue().fire()
                    }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque(), nil)
        }

        public func cancel() {
            guard source != 0 else { return }
            g_source_remove(source)
            source = 0
        }

        private func fire() {
            source = 0
            body()
        }

        isolated deinit {
            cancel()
        }
    }
}
