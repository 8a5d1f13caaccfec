// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import TouchtoneCore

/// A boot clock controlled by the test: its reboots and elapsed time.
public final class FakeBootClock: BootClock {
    private let now = Mutex(BootMoment(boot: "first", time: .seconds(1000)))

    /// Creates a clock of a machine that was started some time ago.
    public init() {}

    /// The current moment.
    public var moment: BootMoment { now.withLock { $0 } }

    /// Advances the clock.
    public func advance(by duration: Duration) {
        now.withLock { $0 = BootMoment(boot: $0.boot, time: $0.time + duration) }
    }

    /// Reboots the machine.
    public func restart(as boot: String = "second") {
        now.withLock { $0 = BootMoment(boot: boot, time: .seconds(20)) }
    }
}
