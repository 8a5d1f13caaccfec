// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The list of public rooms (XEP-0045 section 6.3).
extension RoomSessions {
    static let maximumPublicRooms = 1000
    private static let maximumServices = 20

    /// Returns the public rooms of the account's server, up to 1000, in no particular order.
    func publicRooms() async throws(RoomError) -> [PublicRoom] {
        guard account.client.state == .online else { throw .offline }
        let services: [DiscoItem]
        do throws(RequestError) {
            services = try await account.client.items(of: account.client.account.jid.server)
        } catch {
            throw .refused(ChatServiceError(error).text)
        }
        // All are asked at once, because some may not respond.
        let lists = services.filter { $0.node == nil }.prefix(Self.maximumServices).map { service in
            Task { await rooms(of: service.jid) }
        }
        var all: [PublicRoom] = []
        for list in lists { all += await list.value }
        return Array(all.prefix(Self.maximumPublicRooms))
    }

    /// Returns the public rooms of a service; none if it has no rooms, or does not respond.
    private func rooms(of service: JID) async -> [PublicRoom] {
        do throws(RequestError) {
            guard try await account.client.info(of: service).features.contains(MultiUserChat.namespace) else {
                return []
            }
            let items = try await account.client.items(of: service, atMost: Self.maximumPublicRooms)
            return Self.publicRooms(among: items, of: service)
        } catch {
            account.onDropped?("the rooms of \(service) are not known: \(error)")
            return []
        }
    }

    /// Returns the rooms among the items of a service, each once: it can speak only for its own addresses.
    nonisolated static func publicRooms(among items: [DiscoItem], of service: JID) -> [PublicRoom] {
        var known: Set<JID> = []
        return items.filter { item in
            item.node == nil && item.jid.isBare && !item.jid.local.isEmpty && item.jid.server == service
                && known.insert(item.jid).inserted
        }.map { PublicRoom(ChatAddress($0.jid), name: $0.name) }
    }
}
