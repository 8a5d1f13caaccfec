// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio
private import Dispatch

/// GLib's main loop as the main actor's executor, and as a clock.
///
/// Every closure runs on the main thread. Another thread schedules work there by `Task { @MainActor in … }`, which wakes
/// the loop; tasks of one thread run in their order.
@MainActor
public enum MainLoop {
    private static var source: guint = 0

    /// Lets main-actor work run whenever GLib's main loop does.
    ///
    /// The main actor's jobs go to libdispatch's main queue, which nobody drains while GLib has the thread. The queue
    /// has a descriptor for run loops such as this one: GLib watches it, so that a job wakes the loop and an idle
    /// program sleeps. To be called once, on the main thread, before the loop runs; later calls do nothing.
    public static func attachMainActor() {
        guard source == 0 else { return }
        // Dispatch makes the descriptor for the thread that it takes to be the main one, and only once it is asked.
        _ = DispatchQueue.main
        source = cglib_watch_descriptor(
            cglib_main_queue_fd(),
            { _, _, _ in
                cglib_main_queue_drain()
                return 1
            }, nil)
    }

    /// Keeps all of Swift's tasks on the main thread, those too that are bound to no actor.
    ///
    /// Each `await` of the main actor that something wakes goes by way of the pool of threads else: two changes of
    /// thread; and from its first use on libdispatch looks after that pool once a second, for as long as the program
    /// runs. To be called before the first task; what takes long has threads of its own.
    ///
    /// - Parameter isOn: false goes back to the pool, for tests that need it.
    public static func keepTasksOnMainThread(_ isOn: Bool = true) {
        cglib_keep_tasks_on_main_queue(isOn)
    }

    /// Runs `body` once, `milliseconds` from now, unless the timer is cancelled or let go before.
    public static func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) -> Timer {
        Timer(milliseconds: milliseconds, body)
    }

    /// Runs `body` once, when what is being handled is over, before the next frame is drawn.
    public static func soon(_ body: @escaping @MainActor () -> Void) {
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { data in
                Box<@MainActor () -> Void>.callOnce(data) { $0() }
                return 0
            }, Box(body).retained, nil)
    }

    /// Runs `body` once, when the loop has nothing else to do, and so after the frame that is being drawn.
    public static func afterFrame(_ body: @escaping @MainActor () -> Void) {
        g_idle_add_full(
            G_PRIORITY_DEFAULT_IDLE,
            { data in
                Box<@MainActor () -> Void>.callOnce(data) { $0() }
                return 0
            }, Box(body).retained, nil)
    }

    /// Runs the loop until something is done, for a moment at most: when the program ends, and nobody waits any more.
    public static func run(upTo milliseconds: UInt32, until isDone: () -> Bool) {
        var isOver = false
        let limit = after(milliseconds: milliseconds) { isOver = true }
        while !isOver, !isDone() { g_main_context_iteration(nil, 1) }
        limit.cancel()
    }

    /// A call to come.
    @MainActor
    public final class Timer {
        private var source: guint = 0
        private let body: @MainActor () -> Void

        init(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
            self.body = body
            // The source keeps the timer no longer than the timer keeps the source: a timer that is let go takes
            // its source with it.
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

        /// Takes the call back, if it has not been made.
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
