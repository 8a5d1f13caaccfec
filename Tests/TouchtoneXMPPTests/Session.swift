// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TouchtoneCore
@testable import TouchtoneXMPP

/// A client with its own clock and a record of its events.
@MainActor
final class Session {
    let client: XMPPClient
    let clock = ManualScheduler()
    let network = FakeNetwork()
    private(set) var events: [XMPPClient.Event] = []
    /// Called when an address has been requested.
    var onOpened: (@MainActor () -> Void)?
    /// The received stanzas.
    private(set) var arrivals: [InboundStanza] = []

    /// The id of the device that a session is unless it says otherwise.
    nonisolated static let deviceID = "d4565fa7-4d72-4749-b3d3-740edbf87770"

    init(
        _ account: XMPPAccount, lookup: any ServiceLookup = FakeLookup(), tokens: SignInTokens? = nil,
        deviceID: String = Session.deviceID, storage: EntryStorage? = nil
    ) {
        let watch = network
        client = XMPPClient(
            account: account, clock: clock, lookup: lookup, network: watch, tokens: tokens
        ) { _ in deviceID }
        client.serverStorage = storage
        client.onEvent = { [weak self] event in
            self?.events.append(event)
            if case .opened = event { self?.onOpened?() }
        }
        client.onStanza = { [weak self] in self?.arrivals.append($0) }
    }

    var isOnline: Bool { client.state == .online }

    /// Sends the initial presence, and returns once the server has it.
    ///
    /// Before that, servers copy nothing to a device, and they read the streams of two devices in any order.
    func becomeAvailable() throws {
        client.send(Presence().element)
        // The stanzas of one stream are read in their order.
        try awaited { try await self.client.ping() }
    }

    /// The reason for waiting or giving up.
    var reason: XMPPError? {
        switch client.state {
        case .waiting, .failed: client.lastError
        default: nil
        }
    }

    /// The bodies of the received messages.
    var bodies: [String] {
        arrivals.compactMap { if case .message(let message, _) = $0 { message.body } else { nil } }
    }

    /// The bodies of the messages that the server has acknowledged.
    var acknowledged: [String] {
        events.compactMap { if case .acknowledged(let stanza) = $0 { Message(stanza)?.body } else { nil } }
    }

    /// The bodies of the messages that were given up.
    var notDelivered: [String] {
        events.compactMap { if case .notDelivered(let stanza) = $0 { Message(stanza)?.body } else { nil } }
    }

    /// The reasons why stanzas were dropped.
    var dropped: [String] {
        arrivals.compactMap { if case .dropped(let reason) = $0 { reason } else { nil } }
    }

    /// How the streams began: `new` or `resumed`.
    var beginnings: [String] {
        events.compactMap {
            switch $0 {
            case .began: "new"
            case .resumed: "resumed"
            default: nil
            }
        }
    }

    /// The sign-in mechanisms used, in order.
    var mechanisms: [SASLMechanism] {
        events.compactMap { if case .began(_, let mechanism) = $0 { mechanism } else { nil } }
    }
}
