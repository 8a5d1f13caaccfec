// SPDX-License-Identifier: GPL-3.0-or-later

/// An output that plays the microphone's input after a delay.
public protocol EchoOutput: AnyObject, Sendable {
    /// Begins to capture the microphone, and plays the capture after `delay`; returns immediately.
    ///
    /// - Parameters:
    ///   - delay: The delay, up to 2 s.
    ///   - failed: A function that is called once, on any thread, if no microphone is available or it is lost; from
    ///     then on there is silence.
    func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo
}

/// An echo that was begun, and continues until it is stopped.
public protocol Echo: AnyObject, Sendable {
    /// Replaces the microphone's input by silence, or restores it.
    func setMuted(_ isMuted: Bool)

    /// Stops the echo, and releases the microphone; does nothing the second time.
    func stop()
}
