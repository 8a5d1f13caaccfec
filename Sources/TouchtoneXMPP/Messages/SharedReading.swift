// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// How far the user has read each conversation, shared with the account's other devices (XEP-0490).
///
/// The server keeps a mark for each conversation, which nobody but the account sees. A mark of another device makes messages
/// seen, and none unread again; this device never moves one back.
@MainActor
final class SharedReading: StreamModule {
    nonisolated static let features = [PubSub.displayed + "+notify"]

    /// The features of a server that keeps marks, and lets the client say that they are private (XEP-0060).
    static let needed: Set<String> = [
        PubSub.namespace + "#persistent-items", PubSub.namespace + "#publish-options",
    ]
    /// The feature of a server that takes a mark out of the read marker for the buddy, and keeps it.
    static let assistance = "urn:xmpp:mds:server-assist:0"
    /// The time during which messages that the user sees are told together.
    static let pause = Duration.seconds(2)
    /// The greatest number of conversations whose marks are followed.
    static let maximumMarks = 10_000

    private enum Standing {
        case unknown
        /// The marks on the server have been requested.
        case asked
        /// The marks on the server are known.
        case known
        /// The server keeps none, or not privately.
        case unavailable
    }

    private let account: AccountContext
    private let rooms: RoomSessions
    private var standing = Standing.unknown
    private var isOffered = false
    private var isAssisted = false
    /// Whether the server was told apart how to keep the marks.
    private var isConfigured = false
    /// The marks on the server.
    private var marks: [ChatAddress: DisplayedMark] = [:]
    /// The last messages that the user has seen here, of which the server does not know.
    private(set) var unshared: [ChatAddress: ChatMessage] = [:]
    private var timer: (any ScheduledTimer)?
    private var isSharing = false
    /// The last request for the marks.
    private var loading: Task<Void, Never>?
    /// Whether the marks on the server are known.
    var isKnown: Bool { standing == .known }

    init(of account: AccountContext, _ rooms: RoomSessions) {
        (self.account, self.rooms) = (account, rooms)
        account.onUpdates = { [weak self] in self?.seen(in: $0) ?? [] }
    }

    func begin() {
        timer?.cancel()
        (standing, isOffered, isConfigured, timer, isSharing) = (.unknown, false, false, nil, false)
        isAssisted = false
    }

    func forget() {
        begin()
        (marks, unshared) = ([:], [:])
    }

    func handle(_ stanza: InboundStanza) -> Bool {
        guard case .published(let change) = stanza, change.node == PubSub.displayed else { return false }
        for jid in change.retracted.compactMap({ JID($0) }) { marks[ChatAddress(full: jid)] = nil }
        if change.isEmptied { marks = [:] }
        take(change.items)
        return true
    }

    // MARK: Other devices

    /// Learns the features of the account's server, and requests the marks if it keeps some.
    func learn(_ features: Set<String>) {
        isOffered = Self.needed.isSubset(of: features)
        isAssisted = isOffered && features.contains(Self.assistance)
        if isOffered { load() } else { giveUp() }
    }

    func resume() { if isOffered { load() } }

    private func load() {
        guard standing == .unknown else { return }
        standing = .asked
        let stream = account.stream
        loading = stream.run { [self] in
            let answer = await Result.of { () throws(RequestError) in
                try await account.client.published(PubSub.displayed)
            }
            guard !stream.isOver else { return }
            switch answer {
            case .success(let items):
                standing = .known
                take(items)
            // Nobody has published a mark yet.
            case .failure(.refused(let error)) where error.condition == "item-not-found": standing = .known
            case .failure(.disconnected): standing = .unknown
            case .failure(let error):
                account.onDropped?("it is not known what other devices have read: \(error)")
                return giveUp()
            }
            shareSoon()
        }
    }

    /// Returns once the server has answered the request for the marks, if there is one.
    func waitForMarks() async { await loading?.value }

    private func giveUp() { (standing, unshared) = (.unavailable, [:]) }

    private func take(_ items: [PubSub.Item]) {
        let own = account.client.account.jid.bare
        var updates: [MessageUpdate] = []
        for mark in items.prefix(Self.maximumMarks).compactMap({ DisplayedMark($0, own: own) })
        where marks[mark.buddy] != mark {
            guard marks.count < Self.maximumMarks || marks[mark.buddy] != nil else { continue }
            marks[mark.buddy] = mark
            updates.append(.seen(buddy: mark.buddy, upTo: .archiveName(mark.id)))
        }
        account.emit(updates)
    }

    /// Returns that the user has seen messages of these updates on another device, which told so before they came.
    private func seen(in updates: [MessageUpdate]) -> [MessageUpdate] {
        guard !marks.isEmpty else { return [] }
        var seen: [MessageUpdate] = []
        for update in updates {
            switch update {
            case .received(let message): if isMarked(message) { seen.append(message.seen) }
            case .archived(let page):
                switch page.end {
                case .newest, .newestOfRoom: seen += page.messages.filter(isMarked).map(\.seen)
                case .oldest, .past: break
                }
            default: break
            }
        }
        return seen
    }

    private func isMarked(_ message: ReceivedMessage) -> Bool {
        message.archiveName != nil && marks[message.buddy]?.id == message.archiveName
    }

    // MARK: This device

    /// Tells the other devices, after a while, that the user has seen the messages up to this one.
    func share(upTo message: ChatMessage) {
        guard standing != .unavailable, message.archiveName != nil,
            unshared[message.buddy].map({ $0.place < message.place }) ?? true
        else { return }
        unshared[message.buddy] = message
        shareSoon()
    }

    /// Tells what the user has seen before the connection, or the room, was there.
    func shareSoon() {
        guard isKnown, timer == nil, !unshared.isEmpty else { return }
        timer = account.clock.schedule(after: Self.pause) { [weak self] in
            self?.timer = nil
            self?.shareAll()
        }
    }

    private func shareAll() {
        guard account.isReady, !isSharing else { return }
        isSharing = true
        let stream = account.stream
        stream.run { [self] in
            for buddy in unshared.keys.sorted() where !stream.isOver && isKnown {
                await share(buddy, on: stream)
            }
            guard !stream.isOver else { return }
            isSharing = false
            // More may have been seen meanwhile; what waits for its room is told once that is ready.
            if unshared.keys.contains(where: { mark(of: $0) != nil }) { shareSoon() }
        }
    }

    private func share(_ buddy: ChatAddress, on stream: TaskScope) async {
        guard let message = unshared[buddy], let mark = mark(of: buddy) else { return }
        let isNew = await isNew(mark, of: message, on: stream)
        guard !stream.isOver else { return }
        guard isNew else { return settle(message) }
        let answer = await Result.of { () throws(RequestError) in
            isConfigured = try await account.client.publishPrivately(
                mark.payload, id: mark.conversation.description, in: PubSub.displayed,
                isConfigured: isConfigured)
        }
        guard !stream.isOver else { return }
        switch answer {
        case .success:
            marks[buddy] = mark
            settle(message)
        case .failure(.disconnected): break
        // The next stream tells it.
        case .failure(.timeout): standing = .asked
        case .failure(let error):
            account.onDropped?("the server does not keep what was read: \(error)")
            giveUp()
        }
    }

    /// Returns whether a mark is later than the one on the server.
    private func isNew(_ mark: DisplayedMark, of message: ChatMessage, on stream: TaskScope) async -> Bool {
        let buddy = message.buddy
        while let known = marks[buddy] {
            // A mark that is not found here, though nothing is missed, is older than what is stored, or no message's.
            let place = (try? await account.store.place(of: buddy, archiveName: known.id)) ?? nil
            guard !stream.isOver else { return false }
            if known.id == mark.id || place ?? .min >= message.place { return false }
            if marks[buddy] == known { break }
        }
        return true
    }

    /// Calls `send` with the mark to send to a person together with the read marker of a message, or with nil if there is
    /// none, or it is told apart.
    func assist(_ message: ChatMessage, _ send: @escaping @MainActor (XMLElement?) -> Void) {
        guard isAssisted, isKnown, account.isReady, message.buddy.jid.map({ $0.isBare }) == true,
            unshared[message.buddy]?.place == message.place, let mark = mark(of: message.buddy)
        else { return send(nil) }
        let stream = account.stream
        Task { [weak self] in
            guard let self else { return }
            let isNew = await isNew(mark, of: message, on: stream)
            // On another stream, the server may not take it out.
            guard isNew, !stream.isOver, account.isReady else { return send(nil) }
            marks[message.buddy] = mark
            settle(message)
            send(mark.payload)
        }
    }

    private func settle(_ message: ChatMessage) {
        if unshared[message.buddy]?.place == message.place { unshared[message.buddy] = nil }
        guard unshared.isEmpty else { return }
        timer?.cancel()
        timer = nil
    }

    /// Returns the mark to tell of a conversation; nil if there is none now, because messages may be missing.
    private func mark(of buddy: ChatAddress) -> DisplayedMark? {
        guard let id = unshared[buddy]?.archiveName, let jid = buddy.jid else { return nil }
        guard jid.isBare, let room = rooms.session(jid) else {
            return DisplayedMark(id, in: account.client.account.jid.bare, of: jid)
        }
        return room.isReady ? DisplayedMark(id, in: jid, of: jid) : nil
    }
}

extension ReceivedMessage {
    fileprivate var seen: MessageUpdate { .seen(buddy: buddy, upTo: .archiveName(archiveName ?? "")) }
}
