// SPDX-License-Identifier: GPL-3.0-or-later

/// An output that plays the microphone's input after a delay.
public protocol EchoOutput: AnyObject, Sendable {
    /// Captures the microphone, and plays it after `delay`, up to 2 s; returns immediately.
    ///
    /// - Parameter failed: Called once, on any thread, if no microphone is available or it is lost; then
    ///   there is silence.
    func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo
}

/// An echo that was begun, and continues until it is stopped.
public protocol Echo: AnyObject, Sendable {
    /// Replaces the microphone's input by silence, or restores it.
    func setMuted(_ isMuted: Bool)

    /// Calls a function with the level of the microphone in dBFS, ten times a second and on any thread; nil ends that.
    func watch(_ heard: (@Sendable (Double) -> Void)?)

    /// Stops the echo, and releases the microphone; does nothing the second time.
    func stop()
}

extension Echo {
    public func watch(_ heard: (@Sendable (Double) -> Void)?) {}
}
