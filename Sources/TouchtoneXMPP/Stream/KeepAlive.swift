// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A watchdog that detects a server that became unreachable without closing the connection.
///
/// Received data does not restart its one timer: at rest, the process wakes only once in `idle`.
@MainActor
final class KeepAlive {
    private let clock: any Scheduler
    private let timeouts: Timeouts
    private let ask: () -> Void
    private let giveUp: () -> Void
    private var timer: (any ScheduledTimer)?
    private var heardAt: Duration
    private var isAsking = false

    /// - Parameter giveUp: A closure that is called once, if no response arrives.
    init(clock: any Scheduler, timeouts: Timeouts, ask: @escaping () -> Void, giveUp: @escaping () -> Void) {
        (self.clock, self.timeouts, self.ask, self.giveUp) = (clock, timeouts, ask, giveUp)
        heardAt = clock.now
        wait(timeouts.idle)
    }

    /// Records that a whole element arrived: half a stanza is no proof that the server works.
    func heard() {
        heardAt = clock.now
        guard isAsking else { return }
        isAsking = false
        wait(timeouts.idle)
    }

    /// Pings the server at once, because the network changed.
    func hurry() {
        guard timer != nil else { return }
        isAsking = true
        wait(timeouts.urgentPong)
        ask()
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    func restart() {
        isAsking = false
        heardAt = clock.now
        wait(timeouts.idle)
    }

    private func wait(_ time: Duration) {
        timer?.cancel()
        timer = clock.schedule(after: time) { [weak self] in self?.check() }
    }

    private func check() {
        if isAsking {
            stop()
            giveUp()
            return
        }
        let rest = heardAt + timeouts.idle - clock.now
        guard rest <= .zero else { return wait(rest) }
        isAsking = true
        wait(timeouts.pong)
        ask()
    }
}
