// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The questions to a helper whether it still works: libraries can stop it for ever, as those of sound have.
///
/// A question follows each command, and others follow it while the helper is busy and shortly after. At rest there is none, so
/// that nothing wakes the machine.
@MainActor
final class Heartbeat {
    /// The time in which the helper has to answer.
    static let limit = Duration.seconds(5)
    /// The time from an answer to the next question while the helper is busy.
    static let interval = Duration.seconds(5)
    /// The time for which the helper is asked after it was busy: it is then that it closes sound devices.
    static let farewell = Duration.seconds(15)
    /// The delay of a timer that shows that the phone itself was stopped, and the helper perhaps with it.
    private static let lateness = Duration.seconds(1)

    var isBusy: () -> Bool = { false }

    private let clock: any Scheduler
    private let send: (Int) -> Void
    /// Handles what the helper has sent and the main loop has not seen yet.
    private let receive: () -> Void
    /// Called when the helper does not answer.
    private let failed: () -> Void
    private var number = 0
    private var isWaiting = false
    /// Whether a command was sent after the question that waits.
    private var isOutdated = false
    private var restBegins = Duration.zero
    private var timer: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }

    init(
        clock: any Scheduler, send: @escaping (Int) -> Void, receive: @escaping () -> Void,
        failed: @escaping () -> Void
    ) {
        (self.clock, self.send, self.receive, self.failed) = (clock, send, receive, failed)
    }

    /// Asks whether the helper still works after a command.
    func commandSent() {
        if isWaiting { isOutdated = true } else { ask() }
    }

    func answered(_ number: Int) {
        guard isWaiting, number == self.number else { return }
        isWaiting = false
        timer = nil
        if isOutdated { return ask() }
        if isBusy() { restBegins = clock.now + Self.farewell }
        guard clock.now < restBegins else { return }
        timer = clock.schedule(after: Self.interval) { [weak self] in self?.ask() }
    }

    func stop() { (timer, isWaiting, restBegins) = (nil, false, .zero) }

    private func ask() {
        number += 1
        (isWaiting, isOutdated) = (true, false)
        send(number)
        wait()
    }

    private func wait() {
        let deadline = clock.now + Self.limit
        timer = clock.schedule(after: Self.limit) { [weak self] in self?.timeIsUp(after: deadline) }
    }

    private func timeIsUp(after deadline: Duration) {
        let isLate = clock.now - deadline > Self.lateness
        receive()
        guard isWaiting else { return }
        if isLate { wait() } else { failed() }
    }
}
