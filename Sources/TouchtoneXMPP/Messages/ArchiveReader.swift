// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The account or a room, to which an archive belongs.
@MainActor
protocol ArchiveOwner: AnyObject {
    /// A reader of the archive's messages, for the current time.
    var reader: MessageReader { get }
    /// Returns the time of the last stored message; nil if there is none.
    func lastTime() async -> ChatTime?
}

/// A reader of the archive of the account or a room (XEP-0313): of what was missed and, later, of what the
/// answers may have lacked.
@MainActor
final class ArchiveReader {
    let catchUp: CatchUp
    weak var owner: (any ArchiveOwner)?
    /// Whether the stored position belongs to a different account.
    var isForeign = false
    private let account: AccountContext
    /// The room whose archive it is; nil for the account's.
    private let room: ChatAddress?
    private var timer: (any ScheduledTimer)?
    /// The number of times that looks have been scheduled anew.
    private var looks = 0
    /// The first queries of `readMissed`, if they were sent ahead of it.
    private var ahead: [Archive.Query: Task<Result<Archive.Page, RequestError>, Never>] = [:]

    init(of account: AccountContext, room: ChatAddress? = nil) {
        (self.account, self.room) = (account, room)
        catchUp = CatchUp(of: room, flushed: { await account.flush() }, emit: { account.emit($0) })
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    /// Returns the first queries of `readMissed`, as far as the stored position tells them; none without a position.
    func firstQueries() async -> [Archive.Query] {
        guard !isForeign, let mark = (try? await account.store.archiveCursor(of: room)) ?? nil else {
            return []
        }
        let hasPast = ((try? await account.store.archivePast(of: room)) ?? nil) != nil
        func query(_ start: ResultSet.Start, _ maximum: Int) -> Archive.Query {
            var query = Archive.Query(start)
            query.maximum = maximum
            return query
        }
        let maximum = CatchUp.missedPages[0]
        if mark.isEmpty { return [query(.before(nil), CatchUp.newestPage)] }
        if hasPast { return [query(.after(mark), maximum)] }
        return [query(.before(mark), maximum), query(.before(nil), CatchUp.newestPage)]
    }

    /// Sends queries that `readMissed` will make, before the server is told that the user is online.
    ///
    /// A server does not send offline messages, too, to a client that has asked for the archive (XEP-0313).
    func askAhead(_ queries: [Archive.Query], in scope: TaskScope) {
        ahead = [:]
        for query in queries {
            ahead[query] = Task { [account, room] in
                await Result.of { () throws(RequestError) in
                    try scope.check()
                    return try await account.client.archive(query, of: room?.jid)
                }
            }
        }
    }

    /// Reads what was missed, and reports what was held back meanwhile.
    ///
    /// - Parameter scope: The stream, or the stay in the room.
    /// - Returns: False if the archive did not respond: a later query starts at the last known id.
    /// - Throws: `RequestError.disconnected`.
    func readMissed(in scope: TaskScope) async throws(RequestError) -> Bool {
        defer { ahead = [:] }
        do throws(RequestError) {
            try await catchUp.run(from: try await known(in: scope), pages(in: scope))
            try scope.check()
        } catch {
            guard error != .disconnected, !scope.isOver else { throw .disconnected }
            account.onDropped?("the archive\(suffix) did not respond: \(error)")
            // Until the archive is asked again, new messages are shown.
            if room != nil { lookLater(in: scope, isSoon: true) }
            catchUp.end()
            return false
        }
        isForeign = false
        lookLater(in: scope)
        catchUp.end()
        return true
    }

    /// Looks for what the server may have lost when the stream was resumed.
    func doubt(in scope: TaskScope) {
        catchUp.doubt()
        lookLater(in: scope)
    }

    /// Asks again later for what the answers may have lacked: the account's archive soon and once more after a while, that of
    /// a room once.
    ///
    /// - Parameter isSoon: Whether that of a room is asked soon, too, because it has not answered.
    private func lookLater(in scope: TaskScope, isSoon: Bool = false) {
        stop()
        looks += 1
        let soon = [CatchUp.firstLook, CatchUp.lag - CatchUp.firstLook]
        look(after: room == nil || isSoon ? soon[...] : [CatchUp.lag], in: scope)
    }

    /// Asks again after each of the times, on a stream that is not interrupted, once the look before has ended.
    private func look(
        after times: ArraySlice<Duration>, in scope: TaskScope, following earlier: Task<Void, Never>? = nil
    ) {
        guard let time = times.first else { return }
        let looks = looks
        timer = account.clock.schedule(after: time) { [weak self] in
            guard let self else { return }
            let task = scope.run { [self] in
                await earlier?.value
                guard !scope.isOver, account.client.state == .online else { return }
                do throws(RequestError) {
                    try await catchUp.look(
                        isLast: times.count == 1, from: try await known(in: scope), pages(in: scope))
                } catch {
                    account.onDropped?("the archive\(suffix) was not checked: \(error)")
                    // It may answer later.
                    guard error != .disconnected, !scope.isOver, times.count == 1, looks == self.looks else {
                        return
                    }
                    look(after: [CatchUp.lag], in: scope)
                }
            }
            look(after: times.dropFirst(), in: scope, following: task)
        }
    }

    private func known(in scope: TaskScope) async throws(RequestError) -> CatchUp.Known {
        // Updates from before the connection was lost may not have reached the store yet.
        await account.flush()
        let mark = isForeign ? nil : (try? await account.store.archiveCursor(of: room)) ?? nil
        let past = (try? await account.store.archivePast(of: room)) ?? nil
        try scope.check()
        return CatchUp.Known(
            mark: mark, past: past, last: { [owner] in await owner?.lastTime() },
            waiting: { [account] in
                Set(((try? await account.store.waiting()) ?? []).compactMap(\.name))
            })
    }

    private func pages(in scope: TaskScope) -> CatchUp.Ask {
        { [weak self, account, room, owner] query throws(RequestError) in
            try scope.check()
            let page: Archive.Page
            if let asked = self?.ahead.removeValue(forKey: query) {
                page = try await asked.value.get()
            } else {
                page = try await account.client.archive(query, of: room?.jid)
            }
            try scope.check()
            guard let owner else { throw .disconnected }
            if room == nil { account.onArchive?(page) }
            let messages = await account.pipeline.read(page, owner.reader)
            try scope.check()
            return CatchUp.Page(page: page, messages: messages)
        }
    }

    private var suffix: String { room.map { " of \($0)" } ?? "" }
}
