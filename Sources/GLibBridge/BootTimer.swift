// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio
internal import Glibc

/// A call to come by the time since the machine was started (`CLOCK_BOOTTIME`), which also counts the time in which the
/// machine is suspended.
///
/// GLib's own timers stand still in a suspended machine. One of these that is due by then fires at once after the machine
/// has resumed; it does not wake the machine. A timer that is let go is cancelled.
@MainActor
public final class BootTimer {
    private var descriptor: Int32 = -1
    private var source: guint = 0
    private var fallback: MainLoop.Timer?
    private let body: @MainActor () -> Void

    /// Runs `body` once, `milliseconds` from now, unless the timer is cancelled or let go before.
    ///
    /// Where the system gives no such timer (too many files are open), one of GLib's takes its place.
    public init(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
        self.body = body
        descriptor = cglib_boot_timer(Int64(milliseconds))
        guard descriptor >= 0 else {
            fallback = MainLoop.after(milliseconds: milliseconds, body)
            return
        }
        // The source keeps the timer no longer than the timer keeps the source, as in `MainLoop.Timer`.
        source = cglib_watch_descriptor(
            descriptor,
            { _, _, data in
                guard let data else { return 0 }
                MainActor.assumeIsolated {
                    Unmanaged<BootTimer>.fromOpaque(data).takeUnretainedValue().fire()
                }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The time since the machine was started, that in which it was suspended included.
    public static var now: Duration {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }

    /// Takes the call back, if it has not been made.
    public func cancel() {
        fallback?.cancel()
        if source != 0 { g_source_remove(source) }
        close()
    }

    private func fire() {
        // GLib removes the source by itself.
        close()
        body()
    }

    private func close() {
        source = 0
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    isolated deinit {
        cancel()
    }
}
