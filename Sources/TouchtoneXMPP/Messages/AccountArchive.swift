// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The archive of the account (XEP-0313), from which missed messages are read.
@MainActor
final class AccountArchive: StreamModule, ArchiveOwner {
    let archive: ArchiveReader
    var catchUp: CatchUp { archive.catchUp }
    /// Whether there is an archive; nil until the server has answered.
    private(set) var isAvailable: Bool?
    private let account: AccountContext
    private let rooms: RoomSessions

    init(of account: AccountContext, _ rooms: RoomSessions) {
        (self.account, self.rooms, archive) = (account, rooms, ArchiveReader(of: account))
        archive.owner = self
    }

    func begin() { archive.stop() }

    func forget() {
        catchUp.reset()
        (isAvailable, archive.isForeign) = (nil, true)
    }

    /// Notes what the server says of the account.
    func learn(_ features: Set<String>) { isAvailable = features.contains(Archive.namespace) }

    var reader: MessageReader {
        MessageReader(
            policy: DirectPolicy(
                own: account.client.account.jid.bare, trustsArchiveIDs: isAvailable == true,
                now: account.wall.now, rooms: rooms.addresses))
    }

    func lastTime() async -> ChatTime? { (try? await account.store.lastTime()) ?? nil }

    /// Holds live messages back until `readMissed` has ended.
    func hold() {
        archive.stop()
        catchUp.begin()
    }

    /// Sends the first queries ahead, where the server is not known to be without an archive.
    func askAhead(_ queries: [Archive.Query], on stream: TaskScope) {
        if isAvailable != false { archive.askAhead(queries, in: stream) }
    }

    /// Reads what was missed, if there is an archive, and reports what was held back meanwhile.
    ///
    /// - Returns: False if the archive did not respond: a later query starts at the last known id.
    /// - Throws: `RequestError.disconnected`.
    func readMissed(on stream: TaskScope) async throws(RequestError) -> Bool {
        if isAvailable == true { return try await archive.readMissed(in: stream) }
        catchUp.end()
        return true
    }

    func resume() { if isAvailable == true { archive.doubt(in: account.stream) } }
}
