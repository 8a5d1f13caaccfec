// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The places for files on the account’s server (XEP-0363).
@MainActor
final class Uploads: StreamModule, FileService {
    private static let maximumServices = 20

    private struct Service {
        let jid: JID
        /// The greatest size that it accepts, in bytes; nil if it states none.
        let limit: Int64?
    }

    private let account: AccountContext
    private let client: XMPPClient
    /// The upload service that was found on this stream; and the last one’s domain.
    private var (service, domain): (Service?, String?)
    private var slotHosts: Set<String> = []

    init(of account: AccountContext) { (self.account, client) = (account, account.client) }

    func begin() { service = nil }

    func forget() { (service, domain, slotHosts) = (nil, nil, []) }

    func uploadLimit() async throws(ChatServiceError) -> Int64? { try await findService().limit }

    func slot(forFile name: String, size: Int64, mediaType: String) async throws(ChatServiceError) -> FileSlot
    {
        let service = try await findService()
        if let limit = service.limit, size > limit { throw .refused(Self.tooLarge(limit)) }
        do throws(RequestError) {
            let slot = try await client.uploadSlot(from: service.jid, name: name, size: size, type: mediaType)
            slotHosts.formUnion(slot.hosts)
            return slot
        } catch .refused(let error) {
            throw .refused(error.reasonForUpload)
        } catch {
            throw ChatServiceError(error)
        }
    }

    /// The hosts of the account’s server, of its upload service and of the slots’ URLs.
    var trustedHosts: Set<String> {
        slotHosts.union([client.account.jid.domain, domain ?? ""].filter { !$0.isEmpty })
    }

    /// Returns the upload service, which is searched for once on each stream.
    private func findService() async throws(ChatServiceError) -> Service {
        guard client.state == .online else { throw .offline }
        if let service { return service }
        let (discovery, stream, dropped) = (account.discovery, account.stream, account.onDropped)
        do throws(RequestError) {
            let server = client.account.jid.server
            let items = try await discovery.items().filter { $0.node == nil }.map(\.jid)
            // All are asked at once, because some may not respond.
            let answers = (items.prefix(Self.maximumServices) + [server]).map { jid in
                Task { await Self.service(at: jid, discovery, dropped) }
            }
            for answer in answers {
                guard let found = await answer.value else { continue }
                if !stream.isOver { (service, domain) = (found, found.jid.domain) }
                return found
            }
        } catch {
            throw ChatServiceError(error)
        }
        guard !stream.isOver else { throw .offline }
        throw .unsupported
    }

    /// Returns the upload service at an address; nil if it is none, or does not respond.
    private static func service(
        at jid: JID, _ discovery: ServiceDiscovery, _ dropped: (@MainActor (String) -> Void)?
    ) async -> Service? {
        do throws(RequestError) {
            let info = try await discovery.info(of: jid)
            guard info.features.contains(Upload.namespace) else { return nil }
            return Service(jid: jid, limit: Upload.limit(in: info))
        } catch {
            dropped?("it is not known whether \(jid) takes files: \(error)")
            return nil
        }
    }

    private static func tooLarge(_ limit: Int64) -> String {
        localized(
            "The file is too large. The server accepts at most {size}.", ["size": localizedSize(limit)])
    }
}
