// SPDX-License-Identifier: GPL-3.0-or-later

/// A clock of the time since the machine was started, which cannot be set.
public protocol BootClock: Sendable {
    var moment: BootMoment { get }
}

/// A moment, as the time since the machine was started.
public struct BootMoment: Hashable, Sendable {
    /// The identifier of the machine's start, different after each one.
    public let boot: String
    /// The time since the start, including the time in which the machine was suspended.
    public let time: Duration

    public init(boot: String, time: Duration) {
        self.boot = boot
        self.time = time
    }

    /// Returns the time since an earlier moment; zero if the two cannot be compared.
    func since(_ earlier: BootMoment) -> Duration {
        boot == earlier.boot ? max(.zero, time - earlier.time) : .zero
    }
}
