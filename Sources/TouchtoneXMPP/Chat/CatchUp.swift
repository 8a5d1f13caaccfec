// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A loader of missed messages from the archive (XEP-0313), which holds live messages back meanwhile, so that all are
/// reported in the archive's order.
///
/// Only messages that the archive has, too, are held back: nothing is lost if the program ends before they are
/// reported.
///
/// An archive may lag: ejabberd answers without messages that it has received just before, and has them later. Its last
/// page therefore proves nothing. The stored position stays before that page, and live messages do not move it, until the
/// archive has been asked again some minutes later (`check`). So does the next program, if this one ends before.
@MainActor
final class CatchUp {
    /// The greatest number of messages to hold back; beyond it, they are loaded from the archive in the end.
    static let maximumHeld = 1000
    /// The greatest number of pages to load if nothing is known yet.
    static let maximumFirstPages = 3
    /// The greatest number of missed messages in a page.
    static let maximumPerWalk = 100
    /// The greatest number of pages to load at once: an archive with more repeats itself, or is continued later.
    static let maximumPages = 2000
    /// The margin for a local clock ahead of the server's, in milliseconds.
    private static let clockMargin: Int64 = 600_000

    /// A request for a page of the archive.
    typealias Ask = @MainActor (Archive.Query) async throws(RequestError) -> Archive.Page

    /// The stored state of the archive.
    struct Known {
        /// The id of the last archived message that is stored; empty if the archive had none, nil if it was never read.
        let mark: String?
        /// A closure that returns the time of the last stored message of any conversation; nil if there is none.
        let last: @MainActor () async -> ChatTime?
    }

    private struct Held {
        let archiveName: String?
        let updates: [MessageUpdate]
    }

    /// The time after which the archive is asked again for what its answer may have lacked.
    static let lag = Duration.seconds(300)
    /// Whether everything up to now is known, so that live messages directly follow in the archive.
    private(set) var isComplete = false
    private var isHolding = false
    private var isChecking = false
    private var isOverfull = false
    private var held: [Held] = []
    /// The last message of each conversation that was reported from the archive since the walk began.
    ///
    /// It is reported again with the messages that follow it, so that the order holds across pages.
    private var walked: [ChatAddress: ReceivedMessage] = [:]
    /// The room whose archive it is; nil for the account's.
    private let room: ChatAddress?
    private let tell: @MainActor ([MessageUpdate]) -> Void
    private let reader: @MainActor () -> any MessageReading
    private let flushed: @MainActor () async -> Void

    /// Creates an idle catch-up, which holds nothing back.
    ///
    /// - Parameters:
    ///   - room: The room whose archive it is; nil for the account's.
    ///   - reader: A closure that returns the reader for archived messages.
    ///   - flushed: A closure that waits until everything reported is saved.
    ///   - tell: A closure that is called with new updates, in order.
    init(
        of room: ChatAddress? = nil, reader: @escaping @MainActor () -> any MessageReading,
        flushed: @escaping @MainActor () async -> Void,
        tell: @escaping @MainActor ([MessageUpdate]) -> Void
    ) {
        self.room = room
        self.reader = reader
        self.flushed = flushed
        self.tell = tell
    }

    /// Starts holding live messages back.
    func begin() {
        isHolding = true
        isComplete = false
        walked = [:]
    }

    /// Reports what was held back, and stops holding messages back.
    func end() {
        isHolding = false
        isOverfull = false
        walked = [:]
        let updates = held.flatMap(\.updates)
        held = []
        if !updates.isEmpty { tell(updates) }
    }

    /// Discards what was held back, because it belongs to a different account.
    func reset() {
        (held, walked, isHolding, isComplete, isOverfull) = ([], [:], false, false, false)
    }

    /// Handles a live message.
    ///
    /// - Returns: The updates to report now.
    func take(_ reading: MessageMapper.Reading) -> [MessageUpdate] {
        guard isHolding else {
            return reading.updates + (isComplete ? reading.archiveName.map { [mark($0)] } ?? [] : [])
        }
        // What the archive does not have is reported at once. Updates of other messages are reported now and again at
        // the end, when those messages are known.
        let now = reading.archiveName == nil ? reading.updates : reading.others
        let later = reading.archiveName == nil ? reading.others : reading.updates
        guard !isOverfull, reading.archiveName != nil || !later.isEmpty else { return now }
        held.append(Held(archiveName: reading.archiveName, updates: later))
        if held.count > Self.maximumHeld { (held, isOverfull) = ([], true) }
        return now
    }

    private func mark(_ name: String) -> MessageUpdate { .archived(ArchivePage(newest(upTo: name), [])) }

    private func newest(upTo name: String?) -> ArchivePage.End {
        room.map { .newestOfRoom($0, upTo: name) } ?? .newest(upTo: name)
    }
}

// MARK: - Archive

extension CatchUp {
    /// Asks again for everything since the stored position, once an archive that lags has had time to store it.
    ///
    /// Live messages are reported meanwhile; from then on, they move the position.
    ///
    /// - Throws: `RequestError`; the next connection asks again.
    func check(from known: Known, _ ask: Ask) async throws(RequestError) {
        guard !isHolding, !isComplete else { return }
        isChecking = true
        defer { (isChecking, walked) = (false, [:]) }
        try await run(from: known, ask)
        if !isHolding { isComplete = true }
    }

    /// Reports everything in the archive that is not known, page by page.
    ///
    /// - Throws: `RequestError`; what was reported until then is valid, and the next run continues from there.
    func run(from known: Known, _ ask: Ask) async throws(RequestError) {
        var mark = known.mark
        do throws(RequestError) {
            if mark?.isEmpty == true {
                mark = try await walk(from: nil, ask)
            } else if let known = mark {
                mark = try await walk(from: try await anchor(known, ask), ask)
            } else {
                mark = try await loadRecent(ask)
            }
        } catch .refused(let error) where mark != nil && error.condition == "item-not-found" {
            // The archive no longer has our last known message, nor any before it. The rest is new, unless the archive
            // has assigned new ids: so start at the time of our last message.
            if let last = await known.last() {
                let start = Timestamp(microseconds: (last.milliseconds - Self.clockMargin) * 1000)
                mark = try await walk(from: nil, since: start, ask)
            } else {
                mark = try await loadRecent(ask)
            }
        }
        while isOverfull {
            isOverfull = false
            mark = try await walk(from: mark, ask)
        }
    }

    /// Returns the id before the last known message, so that the walk starts with that message; nil for the beginning.
    ///
    /// The program may have ended between two pages. A message of ours in neither of them still has the position of its
    /// composition: only the previous page shows that this is wrong, so it is reported again, with what it may have
    /// lacked before.
    private func anchor(_ mark: String, _ ask: Ask) async throws(RequestError) -> String? {
        var query = Archive.Query(.before(mark))
        query.maximum = Self.maximumPerWalk
        let page = try await ask(query)
        if !page.items.isEmpty { tell(page, upTo: nil) }
        return page.last
    }

    /// Reports everything after an id, page by page; returns the last id.
    private func walk(
        from mark: String?, since start: Timestamp? = nil, _ ask: Ask
    ) async throws(RequestError) -> String? {
        var mark = mark
        for _ in 0..<Self.maximumPages {
            var query = Archive.Query(.after(mark))
            query.start = start
            query.maximum = Self.maximumPerWalk
            let page = try await ask(query)
            guard let last = page.last, last != mark else { return mark }
            mark = last
            tell(page, upTo: page.isComplete && !isChecking ? nil : last)
            if page.isComplete { return mark }
            // Wait for the disk: a year's messages would fill the memory.
            await flushed()
        }
        throw .implausible
    }

    /// Reports the last pages, for a device without stored messages; returns the last id.
    private func loadRecent(_ ask: Ask) async throws(RequestError) -> String? {
        var pages: [Archive.Page] = []
        var before: String?
        repeat {
            var query = Archive.Query(.before(before))
            query.maximum = Archive.maximumPerPage
            let page = try await ask(query)
            guard page.first != nil else { break }
            pages.insert(page, at: 0)
            before = page.first
        } while !pages[0].isComplete && pages.count < Self.maximumFirstPages
        // What comes later is new, and not the past of a device that reads the archive for the first time.
        if pages.isEmpty { tell([mark("")]) }
        let live = Set(held.compactMap(\.archiveName))
        for page in pages { tell(page, upTo: page.last, isHistory: true) }
        tellSeen(pages.flatMap(\.items).filter { !live.contains($0.id) })
        return pages.last.flatMap { $0.last }
    }

    /// Reports a page, and discards its messages from those held back.
    ///
    /// - Parameter isHistory: Whether the messages are too old for delivery receipts.
    private func tell(_ page: Archive.Page, upTo last: String?, isHistory: Bool = false) {
        let reader = reader()
        let readings = page.items.map { reader.read($0.message, .archive($0.id, $0.stamp)) }
        let messages = readings.compactMap(\.message).map { isHistory ? $0.wantingNothing : $0 }
        let names = Set(page.items.map(\.id))
        held.removeAll { $0.archiveName.map { names.contains($0) } == true }
        let before = Set(messages.map(\.buddy)).sorted().compactMap { walked[$0] }
        for message in messages where message.corrects == nil { walked[message.buddy] = message }
        tell([.archived(ArchivePage(newest(upTo: last), before + messages))] + readings.flatMap(\.others))
    }

    /// Reports messages from before this device's first sign-in as seen.
    private func tellSeen(_ items: [Archive.Item]) {
        if let room { return tell([.seen(buddy: room, upTo: .place(.max))]) }
        let reader = reader()
        var last: [ChatAddress: String] = [:]
        for item in items {
            let message = reader.read(item.message, .archive(item.id, item.stamp)).message
            if let message, message.sender != .me, let name = message.name { last[message.buddy] = name }
        }
        let updates = last.sorted { $0.key < $1.key }.map {
            MessageUpdate.seen(buddy: $0.key, upTo: .name($0.value))
        }
        if !updates.isEmpty { tell(updates) }
    }
}

extension ReceivedMessage {
    /// The message without receipt requests.
    var wantingNothing: ReceivedMessage {
        var message = self
        message.receiptRequests = []
        return message
    }
}
