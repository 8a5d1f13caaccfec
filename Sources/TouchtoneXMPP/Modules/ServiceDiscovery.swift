// SPDX-License-Identifier: GPL-3.0-or-later

/// Service discovery at the account's server and its services, on one stream (XEP-0030).
///
/// The upload service and the gateway to telephone numbers are searched for among the same services. Each is asked once;
/// one that has not answered is asked again at the next search.
@MainActor
final class ServiceDiscovery {
    private let client: XMPPClient
    private var items: Task<Result<[DiscoItem], RequestError>, Never>?
    private var infos: [JID: Task<Result<DiscoInfo, RequestError>, Never>] = [:]

    init(_ client: XMPPClient) { self.client = client }

    func items() async throws(RequestError) -> [DiscoItem] {
        let client = client
        let server = client.account.jid.server
        let request =
            items
            ?? Task { await Result.of { () throws(RequestError) in try await client.items(of: server) } }
        items = request
        let result = await request.value
        if case .failure = result, items == request { items = nil }
        return try result.get()
    }

    func info(of service: JID) async throws(RequestError) -> DiscoInfo {
        let client = client
        let request =
            infos[service]
            ?? Task { await Result.of { () throws(RequestError) in try await client.info(of: service) } }
        infos[service] = request
        let result = await request.value
        if case .failure = result, infos[service] == request { infos[service] = nil }
        return try result.get()
    }
}
