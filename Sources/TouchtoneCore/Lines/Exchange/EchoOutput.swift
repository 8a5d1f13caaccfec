// SPDX-License-Identifier: GPL-3.0-or-later

/// What lets people hear their own microphone, some time after they spoke.
public protocol EchoOutput: AnyObject, Sendable {
    /// Begins to take the microphone, and plays what it hears after `delay`; returns at once.
    ///
    /// - Parameters:
    ///   - delay: up to 2 s.
    ///   - failed: called once, on any thread, if no microphone can be had or it is lost: there is silence from then on.
    func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo
}

/// An echo that was begun, and goes on until it is stopped.
public protocol Echo: AnyObject, Sendable {
    /// Has silence taken in place of the microphone, or the microphone again.
    func setMuted(_ isMuted: Bool)

    /// Ends it, and lets go of the microphone; nothing happens the second time.
    func stop()
}
