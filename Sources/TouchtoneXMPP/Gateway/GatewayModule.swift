// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The gateway to telephone numbers (XEP-0100), among the roster's servers and the items of the account's server.
@MainActor
final class GatewayModule: StreamModule, GatewayService {
    private let account: AccountContext
    private let client: XMPPClient
    private var search = GatewaySearch() {
        didSet { if search.telephone?.jid != oldValue.telephone?.jid { onTelephone?() } }
    }
    /// The receiver of changes of `telephone`.
    var onTelephone: (@MainActor () -> Void)?

    init(of account: AccountContext) { (self.account, client) = (account, account.client) }

    func handle(_ stanza: InboundStanza) -> Bool {
        if case .roster(let roster, _) = stanza { searchAgain(after: roster) }
        return false
    }

    func forget() { search.forget() }

    /// The gateway that carries calls to telephone numbers, if one was found.
    var telephone: JID? { search.telephone?.jid }

    func gateway(_ text: String) -> ChatAddress? { GatewaySearch.gateway(text) }

    func findGateway() async -> ChatAddress? {
        if search.found == nil {
            start()
            await search.task?.value
        }
        return (search.found?.jid).map { ChatAddress($0) }
    }

    /// Requests the address by which a gateway reaches a number; one that does not translate numbers gets `+E164`.
    func address(of number: DialledNumber, at gateway: ChatAddress) async throws(ChatServiceError)
        -> ChatAddress
    {
        guard let server = gateway.jid, server.local.isEmpty, server.isBare,
            let plain = JID(local: number.text, domain: server.domain)
        else { throw .refused(localized("This is not a valid address.")) }
        if let known = search.assigned(number, at: server) { return known }
        guard client.state == .online else { throw .offline }
        var jid = plain
        do throws(RequestError) {
            jid = try await client.address(of: number.text, at: server)
        } catch {
            guard translatesNothing(server, error) else { throw ChatServiceError(error) }
        }
        let address = ChatAddress(jid)
        search.assign(address, to: number, at: server)
        return address
    }

    /// Returns whether a failed request means that the gateway has no translation of its own.
    private func translatesNothing(_ server: JID, _ error: RequestError) -> Bool {
        switch error {
        case .refused(let error):
            ["feature-not-implemented", "service-unavailable"].contains(error.condition)
        // Some gateways ignore requests that they do not know; one that announces the translation has failed.
        case .timeout: search.features[server].map { !$0.contains(Gateway.namespace) } ?? false
        case .disconnected, .implausible: false
        }
    }
}

// MARK: - Search

extension GatewayModule {
    /// Starts the search unless it has ended or is in progress, without waiting for it.
    func start() {
        guard !search.isDone, search.task == nil, client.state == .online,
            search.count < GatewaySearch.maximumCount
        else { return }
        search.count += 1
        let own = client.account.jid.bare
        search.task = Task {
            let isDone = await askServers(account.stream)
            guard own == client.account.jid.bare else { return }
            (search.task, search.isDone) = (nil, isDone)
        }
    }

    private func searchAgain(after change: Roster) {
        guard search.isDone,
            change.items.contains(where: { $0.jid.local.isEmpty && $0.subscription != .remove })
        else { return }
        search.isDone = false
        start()
    }

    /// Asks all servers at once, because some may not respond, and returns whether the connection lasted.
    private func askServers(_ stream: TaskScope) async -> Bool {
        let discovery = account.discovery
        var items: [DiscoItem] = []
        do throws(RequestError) {
            items = try await discovery.items()
        } catch {
            if error == .disconnected { return false }
            // The roster may still have a gateway.
        }
        guard !stream.isOver else { return false }
        let servers = GatewaySearch.candidates(roster: account.roster.servers, items: items)
        let questions = servers.enumerated().map { position, jid in
            Task { await askServer(jid, position, stream) }
        }
        for question in questions { await question.value }
        return !stream.isOver
    }

    private func askServer(_ jid: JID, _ position: Int, _ stream: TaskScope) async {
        do throws(RequestError) {
            let info = try await account.discovery.info(of: jid)
            guard !stream.isOver, search.handle(info, of: jid, position: position) else { return }
            account.onEvent?(.gateway(ChatAddress(jid)))
        } catch {
            if error == .timeout { account.onDropped?("\(jid) did not say whether it is a gateway") }
        }
    }
}
