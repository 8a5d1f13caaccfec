// SPDX-License-Identifier: GPL-3.0-or-later

/// The failed attempts in a row, and the wait that they have led to.
///
/// The wait goes by the time since the machine was started. The clock on the wall has no part in it, so setting that
/// forward or back changes nothing. A machine that was started again goes on with the time that was left when it was
/// last written down.
public struct Attempts: Hashable, Sendable {
    /// A wait that is on: how much of it was left, and when that was so.
    public struct Wait: Hashable, Sendable {
        /// What was left at the moment.
        public let left: Duration
        /// When it was left.
        public let moment: BootMoment

        init(left: Duration, moment: BootMoment) {
            self.left = left
            self.moment = moment
        }
    }

    /// So many failures in a row lead to a wait.
    public static let round = 5

    /// How many attempts have failed since the last that did not.
    public private(set) var failures = 0
    /// The wait that is on, as it was written down last.
    public private(set) var wait: Wait?

    /// No attempt has failed.
    public init() {}

    /// Attempts as they were written down; nil where they can't have been.
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

    /// What is assumed where nobody knows any more how many there were: the first wait begins.
    public static func unknown(at moment: BootMoment) -> Attempts {
        var attempts = Attempts()
        attempts.failures = round - 1
        attempts.begin(at: moment)
        return attempts
    }

    /// How long the wait is that a number of failures leads to; nil for none.
    public static func wait(after failures: Int) -> Duration? {
        guard failures > 0, failures % round == 0 else { return nil }
        // 10, 20 and 40 minutes, then an hour each time.
        let minutes = 10 << min(failures / round - 1, 3)
        return .seconds(60 * min(minutes, 60))
    }

    /// How many more may fail before the next wait, 1 to `round`.
    public var leftInRound: Int { Self.round - failures % Self.round }

    /// An attempt begins, and counts as failed from now on: whoever ends the program in the middle of it has had it.
    public mutating func begin(at moment: BootMoment) {
        failures = min(failures + 1, 1_000_000)
        guard let left = Self.wait(after: failures) else {
            wait = nil
            return
        }
        wait = Wait(left: left, moment: moment)
    }

    /// How much of the wait is left; zero where there is none, or it is over.
    public func left(at moment: BootMoment) -> Duration {
        guard let wait else { return .zero }
        return max(.zero, wait.left - moment.since(wait.moment))
    }

    /// Writes down how much is left of the wait; one that is over is gone.
    public mutating func carry(to moment: BootMoment) {
        let left = left(at: moment)
        wait = left > .zero ? Wait(left: left, moment: moment) : nil
    }
}
