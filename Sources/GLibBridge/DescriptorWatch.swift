// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio

/// A function that the main loop calls whenever a descriptor is ready, until this object is released.
@MainActor
public final class DescriptorWatch {
    public enum Condition { case input, output }

    private var source: guint = 0
    private let body: @MainActor () -> Void

    /// Calls `body` each time the descriptor can be read, or written; also after an error, and after the other end has closed.
    public init(
        _ descriptor: Int32, for condition: Condition = .input, _ body: @escaping @MainActor () -> Void
    ) {
        self.body = body
        // The source does not retain the watch, so that releasing the watch removes the source.
        source = cglib_watch_descriptor(
            descriptor, condition == .output,
            { _, _, data in
                guard let data else { return 0 }
                MainActor.assumeIsolated {
                    // The body may release the watch.
                    let watch = Unmanaged<DescriptorWatch>.fromOpaque(data).takeUnretainedValue()
                    withExtendedLifetime(watch) { watch.body() }
                }
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    isolated deinit { g_source_remove(source) }
}
