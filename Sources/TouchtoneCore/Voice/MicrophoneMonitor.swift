// SPDX-License-Identifier: GPL-3.0-or-later

/// The user's microphone, which a level meter can watch.
public protocol MicrophoneMonitor: AnyObject, Sendable {
    /// Opens the chosen microphone and measures it, until the result is stopped or released; returns at once.
    ///
    /// - Parameters:
    ///   - heard: Called on any thread, ten times a second, with the level in dBFS.
    ///   - failed: Called at most once, on any thread, if there is no microphone, or it is lost.
    func watch(
        heard: @escaping @Sendable (Double) -> Void, failed: @escaping @Sendable () -> Void
    ) -> any MicrophoneWatch
}

/// A microphone that is being watched.
public protocol MicrophoneWatch: AnyObject, Sendable {
    /// Releases the microphone; does nothing the second time.
    func stop()
}
