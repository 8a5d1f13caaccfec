// SPDX-License-Identifier: GPL-3.0-or-later

// Emergency calls: their numbers are sent as they are, and other calls make room for them.

extension CallManager {
    /// Returns a party with its number as a line dials it: by the line's rules, but an emergency number as it is.
    func asSent(_ remote: RemoteParty, on line: any Line) -> RemoteParty {
        emergency.contains(remote.number) ? remote : line.rules.apply(to: remote)
    }

    /// Ends the calls that would keep another one from being dialled on a line.
    func makeRoom(on line: String) {
        changing {
            stopTakingNumber()
            dropRefused()
            if !canHoldHeard(for: line) { endActiveCall() }
            let others = calls.filter { $0.state == .incoming } + calls.filter { $0.state == .held }
            for call in others where !hasRoom { apply(.hangUp, call.id) }
        }
    }

    /// Ends the call that is heard, and those joined with it.
    func endActiveCall() {
        for call in calls where call.id == activeCall?.id || call.state == .joined { apply(.hangUp, call.id) }
    }
}
