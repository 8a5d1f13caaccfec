// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

/// A call that waits for the check of the relay through which alone its sound may go.
struct RelayCheck {
    let server: MediaServer
    let search: Search<RelayProbe.Outcome>
    /// The commands for the call, in order.
    var commands: [SIPCallCommand]
}

// Calls through a relay alone: the far end learns the relay's address, and nothing goes anywhere else. The relay is asked first, so
// that its address is known before there are sockets for the sound, and the reason for a failure can be told.
extension Calls {
    private static let maximumChecks = 20, maximumCommands = 200

    func checkRelay(of route: MediaRoute, for id: SIPCallID, before command: SIPCallCommand) {
        guard id.rawValue.isMultiple(of: 2), endpoint[id] == nil else { return }
        guard let server = route.servers.relay, relayChecks.count < Self.maximumChecks else {
            return sounds.end(id, SIPEnd(.phone, relay: .noAnswer))
        }
        relayChecks[id] = RelayCheck(server: server, search: RelayProbe(server).find(), commands: [command])
    }

    /// Keeps a command for a call until the relay has been checked.
    func waitForRelay(_ command: SIPCallCommand, _ id: SIPCallID) {
        if command == .hangUp {
            relayChecks[id] = nil
            sounds.end(id, SIPEnd(.phone))
        } else if relayChecks[id]?.commands.count ?? 0 < Self.maximumCommands {
            relayChecks[id]?.commands.append(command)
        }
    }

    /// Goes on with the calls whose relay has been checked.
    func continueRelayChecks() {
        for (id, check) in relayChecks {
            guard let outcome = check.search.result else { continue }
            relayChecks[id] = nil
            guard outcome.state == .accepted, !outcome.address.isEmpty else {
                sounds.end(id, SIPEnd(.phone, relay: outcome.state))
                continue
            }
            var relay = check.server
            relay.host = outcome.address
            for (number, command) in check.commands.enumerated() {
                switch command {
                case .prepareOffer(let route) where number == 0: prepareOffer(id, route, through: relay)
                case .prepareAnswer(let offer, let route) where number == 0:
                    prepareAnswer(id, to: offer, route, through: relay)
                default: execute(command, for: id)
                }
            }
        }
    }

    /// Lets nothing of a call's sound go anywhere but to its relay, or ends the call.
    func keepToRelay(_ call: Call) {
        guard let session = endpoint[call.id], session.relay != nil, !keepToRelay(call, session),
            session.isKept || session.isAnswered
        else { return }
        endWithoutRelay(session, .noAnswer)
    }

    /// Lets nothing of a call's sound go anywhere but to its relay; returns whether that is so.
    func keepToRelay(_ call: Call, _ session: JingleSession) -> Bool {
        guard let relay = session.relay else { return true }
        let isKept = sipshims_keep_to_relay(call.handle, relay.host, relay.port)
        if isKept { session.isKept = true }
        return isKept
    }

    /// Ends a call that cannot go through its relay.
    func endWithoutRelay(_ session: JingleSession, _ fault: SIPRelayState) {
        guard let call = self[session.id] else {
            return abandon(session, SIPEnd(.phone, relay: fault))
        }
        guard call.relayFault == nil else { return }
        call.relayFault = fault
        linphone_call_terminate(call.handle)
    }
}
