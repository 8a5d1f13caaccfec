// SPDX-License-Identifier: GPL-3.0-or-later

/// The time since the machine was started, which nobody can set.
public protocol BootClock: Sendable {
    /// The moment that it is.
    var moment: BootMoment { get }
}

/// A moment, by the time since the machine was started.
public struct BootMoment: Hashable, Sendable {
    /// Which start of the machine it was: another one after each.
    public let boot: String
    /// The time since then, that in which the machine was suspended included.
    public let time: Duration

    /// A moment of a machine's run.
    public init(boot: String, time: Duration) {
        self.boot = boot
        self.time = time
    }

    /// The time from another moment to this one; none where the two can't be compared.
    func since(_ earlier: BootMoment) -> Duration {
        boot == earlier.boot ? max(.zero, time - earlier.time) : .zero
    }
}
