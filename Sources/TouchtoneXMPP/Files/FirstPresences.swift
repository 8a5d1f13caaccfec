// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The first presence of each buddy on a stream, for what must not take a buddy for absent too early.
///
/// After the user's own presence, the server asks for that of the buddies (RFC 6121, section 4.3.2), which comes when
/// their servers answer. Nothing tells that all have come, so the wait for one ends some time after the stream began.
@MainActor
final class FirstPresences {
    /// The time after the beginning of a stream in which the presence of buddies comes.
    static let patience = Duration.seconds(10)

    private struct Wait {
        let buddy: JID
        let timer: any ScheduledTimer
        let end: CheckedContinuation<Void, Never>
    }

    private let clock: any Scheduler
    private var began: Duration
    private var heard: Set<JID> = []
    private var waits: [Wait] = []

    /// Creates the presences of a stream that begins now.
    init(clock: any Scheduler) { (self.clock, began) = (clock, clock.now) }

    /// Forgets the presences, because another stream begins or none; all waits end.
    func begin() {
        (began, heard) = (clock.now, [])
        end { _ in true }
    }

    func handle(_ presence: Presence) {
        guard let buddy = presence.from?.bare, presence.kind == .available || presence.kind == .unavailable
        else {
            return
        }
        heard.insert(buddy)
        end { $0 == buddy }
    }

    /// Waits until a presence of a buddy has come on this stream, or none is to be expected any more.
    func wait(for buddy: JID) async {
        let rest = began + Self.patience - clock.now
        guard !heard.contains(buddy), rest > .zero else { return }
        await withCheckedContinuation { continuation in
            let timer = clock.schedule(after: rest) { [weak self] in self?.end { $0 == buddy } }
            waits.append(Wait(buddy: buddy, timer: timer, end: continuation))
        }
    }

    private func end(_ isOver: (JID) -> Bool) {
        let over = waits.filter { isOver($0.buddy) }
        waits.removeAll { isOver($0.buddy) }
        for wait in over {
            wait.timer.cancel()
            wait.end.resume()
        }
    }
}
