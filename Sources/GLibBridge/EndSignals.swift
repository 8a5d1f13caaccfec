// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims

/// The signals that ask the program to end: SIGTERM, as at the end of the session, SIGINT from a terminal, and SIGHUP
/// when that is closed.
@MainActor
public enum EndSignals {
    /// The seconds from the first signal to the end of the program, also if the main loop does not answer.
    private static let limit: UInt32 = 5
    private static var received: (@MainActor () -> Void)?

    /// Runs `body` on the main thread at the first signal; a second one ends the program at once.
    ///
    /// Call this before the main loop runs. Another call replaces `body`.
    public static func watch(_ body: @escaping @MainActor () -> Void) {
        let isWatched = received != nil
        received = body
        guard !isWatched else { return }
        let descriptor = cglib_watch_end_signals(limit)
        guard descriptor >= 0 else { return }
        _ = cglib_watch_descriptor(
            descriptor, false,
            { _, _, _ in
                MainActor.assumeIsolated { EndSignals.received?() }
                return 0
            }, nil)
    }
}
