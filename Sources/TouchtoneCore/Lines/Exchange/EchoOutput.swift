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

    /// Keeps what is heard from now on for `take(_:)`, or no longer.
    func setKept(_ isKept: Bool)

    /// Removes and returns what was kept, of this number of samples: silence stands for what has not come yet.
    func take(_ count: Int) -> EchoSound

    /// Stops the echo, and releases the microphone; does nothing the second time.
    func stop()
}

/// The sound that the microphone has heard, and what was played of it meanwhile, at `ExchangeSound.rate`; equally long.
public struct EchoSound: Hashable, Sendable {
    public let near: [Int16]
    public let far: [Int16]

    public init(near: [Int16], far: [Int16]) { (self.near, self.far) = (near, far) }
}

extension Echo {
    public func watch(_ heard: (@Sendable (Double) -> Void)?) {}
}
