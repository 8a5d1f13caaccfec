// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// The gateway to telephone numbers (XEP-0100), among the roster's servers and the items of the account's server.
extension XMPPChat: GatewayService {
    /// The account's gateway.
    public var gateway: (any GatewayService)? { self }

    /// Returns the gateway that a text names; nil if the text is not the address of a server.
    public func gateway(_ text: String) -> ChatAddress? { GatewaySearch.gateway(text) }

    /// Returns the gateway of the account, and searches for it if it is not known yet.
    public func findGateway() async -> ChatAddress? {
        if gatewaySearch.found == nil {
            searchGateway()
            await gatewaySearch.task?.value
        }
        return (gatewaySearch.found?.jid).map { ChatAddress($0) }
    }

    /// Requests the address by which a gateway reaches a number; one that does not translate numbers gets `+E164`.
    public func address(of number: DialledNumber, at gateway: ChatAddress) async throws(ChatServiceError)
        -> ChatAddress
    {
        guard let server = gateway.jid, server.local.isEmpty, server.isBare,
            let plain = JID(local: number.text, domain: server.domain)
        else { throw .refused(localized("This is not a valid address.")) }
        if let known = gatewaySearch.assigned(number, at: server) { return known }
        guard client.state == .online else { throw .offline }
        var jid = plain
        do throws(RequestError) {
            jid = try await client.address(of: number.text, at: server)
        } catch {
            guard translatesNothing(server, error) else { throw ChatServiceError(error) }
        }
        let address = ChatAddress(jid)
        gatewaySearch.assign(address, to: number, at: server)
        return address
    }

    /// Returns whether a failed request means that the gateway has no translation of its own.
    private func translatesNothing(_ server: JID, _ error: RequestError) -> Bool {
        switch error {
        case .refused(let error):
            ["feature-not-implemented", "service-unavailable"].contains(error.condition)
        // Some gateways ignore requests that they do not know; one that announces the translation has failed.
        case .timeout: gatewaySearch.features[server].map { !$0.contains(Gateway.namespace) } ?? false
        case .disconnected, .implausible: false
        }
    }
}

// MARK: - Search

extension XMPPChat {
    /// Starts the search unless it has ended or is in progress, without waiting for it.
    func searchGateway() {
        guard !gatewaySearch.isDone, gatewaySearch.task == nil, client.state == .online,
            gatewaySearch.count < GatewaySearch.maximumCount
        else { return }
        gatewaySearch.count += 1
        let (turn, account) = (turn, client.account.jid.bare)
        gatewaySearch.task = Task {
            let isDone = await askServers(turn)
            guard account == client.account.jid.bare else { return }
            (gatewaySearch.task, gatewaySearch.isDone) = (nil, isDone)
        }
    }

    /// Searches again if a server was added to the roster.
    func searchGateway(after change: Roster) {
        guard gatewaySearch.isDone,
            change.items.contains(where: { $0.jid.local.isEmpty && $0.subscription != .remove })
        else { return }
        gatewaySearch.isDone = false
        searchGateway()
    }

    /// Asks all servers at once, because some may not respond, and returns whether the connection lasted.
    private func askServers(_ turn: Int) async -> Bool {
        var items: [DiscoItem] = []
        do throws(RequestError) {
            items = try await discovery.items()
        } catch {
            if error == .disconnected { return false }
            // The roster may still have a gateway.
        }
        guard turn == self.turn else { return false }
        let servers = GatewaySearch.candidates(roster: book.servers, items: items)
        let questions = servers.enumerated().map { position, jid in
            Task { await askServer(jid, position, turn) }
        }
        for question in questions { await question.value }
        return turn == self.turn
    }

    private func askServer(_ jid: JID, _ position: Int, _ turn: Int) async {
        do throws(RequestError) {
            let info = try await discovery.info(of: jid)
            guard turn == self.turn, gatewaySearch.take(info, of: jid, position: position) else { return }
            onEvent?(.gateway(ChatAddress(jid)))
        } catch {
            if error == .timeout { onDropped?("\(jid) did not say whether it is a gateway") }
        }
    }
}
