// SPDX-License-Identifier: GPL-3.0-or-later

/// The consecutive failed attempts, and the wait that follows them.
///
/// The wait is measured by the time since the machine was started, so that changing the system clock has no effect.
/// After a restart of the machine, it continues with the time that was left when it was last saved.
public struct Attempts: Hashable, Sendable {
    /// A wait: the time that was left, and when.
    public struct Wait: Hashable, Sendable {
        public let left: Duration
        public let moment: BootMoment

        init(left: Duration, moment: BootMoment) {
            self.left = left
            self.moment = moment
        }
    }

    /// The number of consecutive failures that lead to a wait.
    public static let perLockout = 5

    /// The number of failed attempts since the last successful one.
    public private(set) var failures = 0
    /// The present wait, as last recorded.
    public private(set) var wait: Wait?

    public init() {}

    /// Creates attempts from a record; nil if the values are invalid.
    init?(failures: Int, wait: Wait?) {
        guard (0...1_000_000).contains(failures) else { return nil }
        if let wait {
            guard let longest = Self.wait(after: failures), wait.left > .zero, wait.left <= longest,
                wait.moment.time >= .zero
            else { return nil }
        }
        self.failures = failures
        self.wait = wait
    }

    /// Returns the attempts to assume when their number was lost: the first wait begins.
    public static func unknown(at moment: BootMoment) -> Attempts {
        var attempts = Attempts()
        attempts.failures = perLockout - 1
        attempts.begin(at: moment)
        return attempts
    }

    /// Returns the length of the wait after a number of failures; nil if there is none.
    public static func wait(after failures: Int) -> Duration? {
        guard failures > 0, failures % perLockout == 0 else { return nil }
        // The waits are 10, 20 and 40 minutes, and then an hour each.
        let minutes = 10 << min(failures / perLockout - 1, 3)
        return .seconds(60 * min(minutes, 60))
    }

    /// The number of attempts before the next wait, 1 to `perLockout`.
    public var leftBeforeLockout: Int { Self.perLockout - failures % Self.perLockout }

    /// Begins an attempt, which counts as failed from now on, so that quitting during the check does not avoid the
    /// penalty.
    public mutating func begin(at moment: BootMoment) {
        failures = min(failures + 1, 1_000_000)
        guard let left = Self.wait(after: failures) else {
            wait = nil
            return
        }
        wait = Wait(left: left, moment: moment)
    }

    /// Returns the time left of the wait; zero if there is none or it is over.
    public func left(at moment: BootMoment) -> Duration {
        guard let wait else { return .zero }
        return max(.zero, wait.left - moment.since(wait.moment))
    }

    /// Records the time left of the wait, or ends a wait that is over.
    public mutating func rebase(to moment: BootMoment) {
        let left = left(at: moment)
        wait = left > .zero ? Wait(left: left, moment: moment) : nil
    }
}
