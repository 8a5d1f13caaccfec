// SPDX-License-Identifier: GPL-3.0-or-later

// Transfers: to the other call, after asking its party, or blind, to a number.

extension CallManager {
    /// Whether the two calls can be transferred to each other; the current one may not be answered yet.
    public var canTransfer: Bool {
        guard !isTakingNumber, let current, let other, current.line == other.line, other.canTransfer else {
            return false
        }
        return current.canTransfer || isCalling(current) && current.features.contains(.transfer)
    }

    /// Connects the far ends of both calls, which end when the line confirms; an unanswered one is given up
    /// first, and the other one transferred to its number.
    public func transfer() {
        guard canTransfer, let current, let other, let second = lineCalls[other.id] else { return }
        guard isCalling(current) else {
            return changing {
                for (call, peer) in [(current, other), (other, current)] {
                    update(call.id) { ($0.transfer, $0.transferPeer) = (.pending, peer.id) }
                }
                lineCalls[current.id]?.transfer(to: second)
            }
        }
        guard let target = lineCalls[current.id]?.remote else { return }
        changing {
            // The other party must be free for the transferred call.
            apply(.hangUp, current.id)
            begin(transferOf: other.id, to: target)
        }
    }

    /// Whether the call on hold can be transferred to a party, while a second number is entered.
    public var canTransferBlind: Bool { isTakingNumber && current?.canTransfer == true }

    /// Holds the only call, and opens the line for the number to which it is to be transferred.
    public func prepareTransfer() {
        guard !isTakingNumber, incoming == nil, other == nil, let current, current.canTransfer else { return }
        changing {
            if current.state != .held, current.canHold { apply(.hold, current.id) }
            takeNumber()
        }
    }

    /// Transfers the call on hold to a party that is not called first; it ends when the line confirms the transfer.
    public func transfer(to remote: RemoteParty) {
        guard canTransferBlind, let current else { return }
        changing {
            stopTakingNumber()
            begin(transferOf: current.id, to: target(remote, of: current))
        }
    }

    /// Returns a party with its number as the line of a call dials it.
    func target(_ remote: RemoteParty, of call: Call) -> RemoteParty {
        lines?.line(call.line).map { asSent(remote, on: $0) } ?? remote
    }

    func begin(transferOf id: Call.ID, to remote: RemoteParty) {
        update(id) { ($0.transfer, $0.transferPeer) = (.pending, nil) }
        lineCalls[id]?.transfer(to: remote)
    }

    private func isCalling(_ call: Call) -> Bool {
        call.direction == .outgoing && call.state.isLive && !call.state.isConversation
    }
}
