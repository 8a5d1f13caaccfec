// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The archive of the account (XEP-0313), from which missed messages are read.
@MainActor
final class AccountArchive: StreamModule {
    let catchUp: CatchUp
    /// Whether there is an archive; nil until the server has answered.
    var isAvailable: Bool?
    /// Whether the stored position belongs to a different account.
    var isForeign = false
    private let account: AccountContext
    private let rooms: RoomSessions
    /// The timer of the next look.
    private var timer: (any ScheduledTimer)?

    init(of account: AccountContext, _ rooms: RoomSessions) {
        (self.account, self.rooms) = (account, rooms)
        catchUp = CatchUp(flushed: { await account.flush() }, emit: { account.emit($0) })
    }

    func begin() {
        timer?.cancel()
        timer = nil
    }

    func forget() {
        catchUp.reset()
        (isAvailable, isForeign) = (nil, true)
    }

    /// A reader of messages to and from people, for the current time.
    var reader: MessageReader {
        MessageReader(
            policy: DirectPolicy(
                own: account.client.account.jid.bare, trustsArchiveIDs: isAvailable == true,
                now: account.wall.now, rooms: rooms.addresses))
    }

    /// Holds live messages back until `readMissed` has ended.
    func hold() {
        begin()
        catchUp.begin()
    }

    /// Reads what was missed, if there is an archive, and reports what was held back meanwhile.
    ///
    /// - Returns: False if the archive did not respond: a later query starts at the last known id.
    /// - Throws: `RequestError.disconnected`.
    func readMissed(on stream: TaskScope) async throws(RequestError) -> Bool {
        do throws(RequestError) {
            if isAvailable == true {
                try await catchUp.run(from: try await known(stream), pages(stream))
                try stream.check()
                isForeign = false
                lookLater(stream)
            }
            catchUp.end()
            return true
        } catch {
            guard error != .disconnected, !stream.isOver else { throw .disconnected }
            account.onDropped?("the archive did not respond: \(error)")
            catchUp.end()
            return false
        }
    }

    /// Looks for what the server may have lost when the stream was resumed.
    func resume() {
        guard isAvailable == true else { return }
        catchUp.doubt()
        lookLater(account.stream)
    }

    /// Asks again, soon and once more after a while, for what the answers may have lacked.
    private func lookLater(_ stream: TaskScope) {
        timer?.cancel()
        timer = account.clock.schedule(after: CatchUp.firstLook) { [weak self] in
            guard let self, !stream.isOver else { return }
            let first = look(isLast: false, stream)
            timer = account.clock.schedule(after: CatchUp.lag - CatchUp.firstLook) { [weak self] in
                _ = self?.look(isLast: true, stream, after: first)
            }
        }
    }

    /// Asks again on a stream that is not interrupted, once an earlier look has ended.
    private func look(
        isLast: Bool, _ stream: TaskScope, after earlier: Task<Void, Never>? = nil
    ) -> Task<Void, Never> {
        stream.run { [self] in
            await earlier?.value
            guard !stream.isOver, account.client.state == .online else { return }
            do throws(RequestError) {
                try await catchUp.look(isLast: isLast, from: try await known(stream), pages(stream))
            } catch {
                account.onDropped?("the archive was not checked: \(error)")
            }
        }
    }

    /// Returns the stored state of the archive.
    private func known(_ stream: TaskScope) async throws(RequestError) -> CatchUp.Known {
        // Updates from before the connection was lost may not have reached the store yet.
        await account.flush()
        let mark = isForeign ? nil : (try? await account.store.archiveCursor(of: nil)) ?? nil
        let past = (try? await account.store.archivePast(of: nil)) ?? nil
        try stream.check()
        return CatchUp.Known(mark: mark, past: past) { [store = account.store] in
            (try? await store.summary())?.conversations.values.max()
        }
    }

    /// Returns the requests for pages of the archive on one stream.
    private func pages(_ stream: TaskScope) -> CatchUp.Ask {
        { [self] query throws(RequestError) in
            try stream.check()
            let page = try await account.client.archive(query)
            let messages = await account.pipeline.read(page, reader)
            try stream.check()
            return CatchUp.Page(page: page, messages: messages)
        }
    }
}
