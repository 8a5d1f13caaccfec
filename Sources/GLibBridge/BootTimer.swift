// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio
internal import Glibc

/// A timer on the time since the machine was started (`CLOCK_BOOTTIME`), also while it is suspended, when
/// GLib's own timers stand still: one that becomes due then fires right after the machine resumes.
///
/// It does not wake the machine, and is cancelled when it is released.
@MainActor
public final class BootTimer {
    private var descriptor: Int32 = -1
    private var watch: DescriptorWatch?
    private var fallback: MainLoop.Timer?
    private let body: @MainActor () -> Void

    /// Runs `body` once after `milliseconds`, unless cancelled or released before; a GLib timer takes its
    /// place if too many files are open.
    public init(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
        self.body = body
        descriptor = cglib_boot_timer(Int64(milliseconds))
        guard descriptor >= 0 else {
            fallback = MainLoop.after(milliseconds: milliseconds, body)
            return
        }
        watch = DescriptorWatch(descriptor) { [weak self] in self?.fire() }
    }

    /// The time since the machine was started, including the time in which it was suspended.
    public static var now: Duration {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }

    public func cancel() {
        fallback?.cancel()
        close()
    }

    private func fire() {
        close()
        body()
    }

    private func close() {
        watch = nil
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    isolated deinit {
        cancel()
    }
}
