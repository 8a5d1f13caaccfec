// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Finds out when the server is gone though nobody said so.
///
/// One timer, which is not touched by what arrives: at rest the machine wakes once in `idle`.
@MainActor
final class KeepAlive {
    private let clock: any Scheduler
    private let timeouts: Timeouts
    private let ask: () -> Void
    private let giveUp: () -> Void
    private var timer: (any ScheduledTimer)?
    private var heardAt: Duration
    private var isAsking = false

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - ask: asks the server for a sign of life.
    ///   - giveUp: called once, when none came.
    init(clock: any Scheduler, timeouts: Timeouts, ask: @escaping () -> Void, giveUp: @escaping () -> Void) {
        self.clock = clock
        self.timeouts = timeouts
        self.ask = ask
        self.giveUp = giveUp
        heardAt = clock.now
        wait(timeouts.idle)
    }

    /// A whole element has come.
    ///
    /// Single bytes don't count: half a stanza is no sign of life.
    func heard() {
        heardAt = clock.now
        guard isAsking else { return }
        isAsking = false
        wait(timeouts.idle)
    }

    /// Asks at once: the network has changed.
    func hurry() {
        guard timer != nil else { return }
        isAsking = true
        wait(timeouts.urgentPong)
        ask()
    }

    /// Watches no more.
    func stop() {
        timer?.cancel()
        timer = nil
    }

    /// Watches again, as from the beginning.
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
