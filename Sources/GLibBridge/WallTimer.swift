// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio
internal import Glibc

/// A timer for a time of day (`CLOCK_REALTIME`), which also fires if the clock is set or the time zone changes before: what
/// the time of day means has then changed.
///
/// A time that passes while the machine is suspended fires right after it resumes. The timer does not wake the machine, and is
/// cancelled when it is released.
@MainActor
public final class WallTimer {
    private var descriptor: Int32 = -1
    private var watch: DescriptorWatch?
    private var fallback: MainLoop.Timer?
    private var zone: GObjectRef?
    private let body: @MainActor () -> Void

    /// The file by which the system tells the time zone.
    public static let zonePath = "/etc/localtime"

    /// Runs `body` once at a time in milliseconds since 1970, or before, unless cancelled or released; a GLib timer takes its
    /// place if too many files are open.
    public init(at milliseconds: Int64, zonePath: String = zonePath, _ body: @escaping @MainActor () -> Void)
    {
        self.body = body
        descriptor = cglib_wall_timer(milliseconds)
        if descriptor >= 0 {
            watch = DescriptorWatch(descriptor) { [weak self] in self?.fire() }
        } else {
            let delay = max(0, milliseconds - Int64(g_get_real_time()) / 1000)
            fallback = MainLoop.after(milliseconds: UInt32(clamping: delay)) { [weak self] in self?.fire() }
        }
        watchZone(zonePath)
    }

    public func cancel() {
        fallback?.cancel()
        (watch, fallback, zone) = (nil, nil, nil)
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    private func watchZone(_ path: String) {
        let file = GObjectRef(taking: UnsafeMutableRawPointer(g_file_new_for_path(path)))
        guard let new = g_file_monitor_file(file.opaque, G_FILE_MONITOR_NONE, nil, nil) else { return }
        zone = GObjectRef(taking: UnsafeMutableRawPointer(new))
        let trampoline:
            @convention(c) (gpointer?, gpointer?, gpointer?, GFileMonitorEvent, gpointer?) -> Void = {
                _, _, _, _, data in
                Box<@MainActor () -> Void>.call(data) { $0() }
            }
        let changed: @MainActor () -> Void = { [weak self] in self?.fire() }
        Signal.connect(UnsafeMutableRawPointer(new), "changed", trampoline, changed)
    }

    private func fire() {
        guard zone != nil || watch != nil || fallback != nil else { return }
        cancel()
        body()
    }

    isolated deinit {
        cancel()
    }
}
