// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The upload service of an account, and the hosts that belong to it.
struct UploadHosts {
    /// An upload service that was found on a stream.
    struct Service {
        /// The generation of the stream.
        let turn: Int
        let jid: JID
        /// The greatest size that it accepts, in bytes; nil if it states none.
        let limit: Int64?
    }

    var service: Service?
    /// The hosts of the slots’ URLs.
    var ofSlots: Set<String> = []
}

// The places for files on the account’s server (XEP-0363).
extension XMPPChat: FileService {
    /// The account’s places for files.
    public var files: (any FileService)? { self }

    /// The greatest number of the server’s services to ask.
    private static let maximumServices = 20

    /// Returns the greatest size that the server accepts, in bytes; nil if it states none.
    public func uploadLimit() async throws(ChatServiceError) -> Int64? { try await uploadService().limit }

    /// Requests a place for a file.
    public func slot(forFile name: String, size: Int64, mediaType: String)
        async throws(ChatServiceError) -> FileSlot
    {
        let service = try await uploadService()
        if let limit = service.limit, size > limit { throw .refused(Self.tooLarge(limit)) }
        do throws(RequestError) {
            let slot = try await client.uploadSlot(
                from: service.jid, name: name, size: size, type: mediaType)
            uploads.ofSlots.formUnion(slot.hosts)
            return slot
        } catch .refused(let error) {
            throw .refused(error.reasonForUpload)
        } catch {
            throw ChatServiceError(error)
        }
    }

    /// The hosts of the account’s server, of its upload service and of the slots’ URLs.
    public var trustedHosts: Set<String> {
        let domains = [client.account.jid.domain] + [uploads.service?.jid.domain].compactMap { $0 }
        return uploads.ofSlots.union(domains)
    }

    /// Returns the upload service, which is searched for once on each stream.
    private func uploadService() async throws(ChatServiceError) -> UploadHosts.Service {
        guard client.state == .online else { throw .offline }
        if let service = uploads.service, service.turn == turn { return service }
        let turn = turn
        do throws(RequestError) {
            let server = client.account.jid.server
            let items = try await discovery.items().filter { $0.node == nil }.map(\.jid)
            // All are asked at once, because some may not respond.
            let answers = (items.prefix(Self.maximumServices) + [server]).map { jid in
                Task { await uploadService(at: jid, turn) }
            }
            for answer in answers {
                guard let service = await answer.value else { continue }
                if turn == self.turn { uploads.service = service }
                return service
            }
        } catch {
            throw ChatServiceError(error)
        }
        guard turn == self.turn else { throw .offline }
        throw .unsupported
    }

    /// Returns the upload service at an address; nil if it is none, or does not respond.
    private func uploadService(at jid: JID, _ turn: Int) async -> UploadHosts.Service? {
        do throws(RequestError) {
            let info = try await discovery.info(of: jid)
            guard info.features.contains(Upload.namespace) else { return nil }
            return UploadHosts.Service(turn: turn, jid: jid, limit: Upload.limit(in: info))
        } catch {
            onDropped?("it is not known whether \(jid) takes files: \(error)")
            return nil
        }
    }

    private static func tooLarge(_ limit: Int64) -> String {
        localized(
            "The file is too large. The server accepts at most {size}.", ["size": localizedSize(limit)])
    }
}
