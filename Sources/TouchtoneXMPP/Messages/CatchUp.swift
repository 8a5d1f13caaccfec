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
/// archive has been asked again some minutes later (`look`). So does the next program, if this one ends before.
@MainActor
final class CatchUp {
    /// The greatest number of messages to hold back; beyond it, they are loaded from the archive in the end.
    static let maximumHeld = 1000
    /// The sizes of the pages to load if nothing is known yet: a small one first, to be read at once.
    static let firstPages = [50, 200, 250, 250]
    /// The size of the newest page of missed messages, which is reported first, to be read at once.
    static let newestPage = 50
    /// The sizes of the pages of missed messages before it; all later ones have the size of the last.
    static let missedPages = [100, 250]
    /// The greatest number of pages to load at once: an archive with more repeats itself, or is continued later.
    static let maximumPages = 2000
    /// The margin for a local clock ahead of the server's, in milliseconds.
    private static let clockMargin: Int64 = 600_000

    struct Page {
        let page: Archive.Page
        let messages: [ParsedMessage]
    }

    typealias Ask = @MainActor (Archive.Query) async throws(RequestError) -> Page

    struct Known {
        /// The id of the last archived message that is stored; empty if the archive had none, nil if it was never read.
        let mark: String?
        /// The past that is still to be loaded; nil if there is none.
        let past: ArchivePast?
        /// A closure that returns the time of the last stored message of any conversation; nil if there is none.
        let last: @MainActor () async -> ChatTime?
        /// A closure that returns the IDs of the user's messages that wait to be sent.
        let waiting: @MainActor () async -> Set<String>
    }

    private struct Held {
        let archiveName: String?
        let updates: [MessageUpdate]
    }

    /// The progress of one walk through the archive.
    private struct Walk {
        /// The doubts that the walk may settle, if the archive has had the time to store everything; nil if it has not.
        var doubts: Int?
        /// The last message of each conversation.
        ///
        /// It is reported again with the messages that follow it, so that the order holds across pages.
        var ends: [ChatAddress: ReceivedMessage] = [:]
        /// Updates in newer pages that may be about messages in older ones.
        var newerOthers: [MessageUpdate] = []
        /// The newest messages, if they were reported before older missed ones.
        ///
        /// Those of a conversation are reported again with each page of it, so that they follow it.
        var newest: [ReceivedMessage] = []
        /// The time of the first of them in the archive.
        var until: Timestamp?

        /// Returns the last message reported of each conversation that the given messages belong to.
        func ends(of messages: [ReceivedMessage]) -> [ReceivedMessage] {
            Set(messages.map(\.buddy)).sorted().compactMap { ends[$0] }
        }

        /// Returns the newest messages that follow a page, and forgets those that it has.
        mutating func newest(after messages: [ReceivedMessage]) -> [ReceivedMessage] {
            guard !newest.isEmpty else { return [] }
            let (buddies, names) = (Set(messages.map(\.buddy)), Set(messages.map(\.archiveName)))
            newest.removeAll { names.contains($0.archiveName) }
            return newest.filter { buddies.contains($0.buddy) }
        }
    }

    /// The time after which the archive is asked again for what its answer may have lacked.
    static let lag = Duration.seconds(300)
    /// The time after which the account's archive is asked for it a first time, so that the user does not wait for long.
    ///
    /// A server keeps messages for a lost stream until it can no longer be resumed (XEP-0198, section 5), and
    /// XEP-0313 does not say when they are archived. It may be too early, so the position stays until `lag`.
    static let firstLook = Duration.seconds(30)
    /// Whether everything up to now is known, so that live messages directly follow in the archive.
    private(set) var isComplete = false
    private var isHolding = false
    private var isOverfull = false
    private var held: [Held] = []
    /// The number of times that something may have been missed.
    private var doubts = 0
    /// The live messages that were reported since a look began, which may find earlier ones; nil outside of one.
    private var followers: [ReceivedMessage]?
    /// The room whose archive it is; nil for the account's.
    private let room: ChatAddress?
    private let emit: @MainActor ([MessageUpdate]) -> Void
    private let flushed: @MainActor () async -> Void

    /// - Parameters:
    ///   - flushed: A closure that waits until everything reported is saved.
    ///   - emit: A closure that is called with new updates, in order.
    init(
        of room: ChatAddress? = nil, flushed: @escaping @MainActor () async -> Void,
        emit: @escaping @MainActor ([MessageUpdate]) -> Void
    ) {
        (self.room, self.flushed, self.emit) = (room, flushed, emit)
    }

    /// Starts holding live messages back.
    func begin() {
        (isHolding, isComplete, followers) = (true, false, nil)
    }

    /// Reports what was held back, and stops holding messages back.
    func end() {
        isHolding = false
        isOverfull = false
        let updates = held.flatMap(\.updates)
        held = []
        if !updates.isEmpty { emit(updates) }
    }

    /// Discards what was held back, because it belongs to a different account.
    func reset() {
        (held, followers) = ([], nil)
        (isHolding, isComplete, isOverfull) = (false, false, false)
    }

    /// Handles the resumption of the stream, on which the server may have lost or swapped messages.
    ///
    /// ejabberd does both. Live messages do not move the stored position until a look at the archive has found nothing.
    func doubt() {
        doubts += 1
        isComplete = false
    }

    /// Handles a live message; returns the updates to report now.
    func receive(_ parsed: ParsedMessage) -> [MessageUpdate] {
        guard isHolding else {
            if let message = parsed.message, message.archiveName != nil,
                followers?.count ?? .max < Self.maximumHeld
            {
                followers?.append(message)
            }
            return parsed.updates + (isComplete ? parsed.archiveID.map { [mark($0)] } ?? [] : [])
        }
        // What the archive does not have is reported at once. Updates of other messages are reported now and again at
        // the end, when those messages are known.
        let now = parsed.archiveID == nil ? parsed.updates : parsed.others
        let later = parsed.archiveID == nil ? parsed.others : parsed.updates
        guard !isOverfull, parsed.archiveID != nil || !later.isEmpty else { return now }
        held.append(Held(archiveName: parsed.archiveID, updates: later))
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
    /// Asks again for everything since the stored position, which an archive that lags may have stored meanwhile.
    ///
    /// Live messages are reported meanwhile, and once more if the look has found earlier ones; from the last look on, they
    /// move the position.
    ///
    /// - Parameter isLast: Whether the archive has had the time to store everything.
    /// - Throws: `RequestError`; the next connection asks again.
    func look(isLast: Bool, from known: Known, _ ask: @escaping Ask) async throws(RequestError) {
        guard !isHolding, !isComplete else { return }
        followers = []
        var walk = Walk(doubts: isLast ? doubts : nil)
        defer { if !isHolding { endLook(walk) } }
        try await run(&walk, from: known, ask)
        if !isHolding, walk.doubts == doubts { isComplete = true }
    }

    /// Reports the live messages that the archive did not have yet, after what it had.
    private func endLook(_ walk: Walk) {
        guard let later = followers else { return }
        followers = nil
        guard !walk.ends.isEmpty, !later.isEmpty else { return }
        emit([.archived(ArchivePage(newest(upTo: nil), walk.ends(of: later) + later))])
    }

    /// - Throws: `RequestError`; what was reported until then is valid, and the next run continues from there.
    func run(from known: Known, _ ask: @escaping Ask) async throws(RequestError) {
        var walk = Walk()
        try await run(&walk, from: known, ask)
    }

    private func run(_ walk: inout Walk, from known: Known, _ ask: @escaping Ask) async throws(RequestError) {
        var (mark, past) = (known.mark, known.mark == nil ? nil : known.past)
        do throws(RequestError) {
            if let last = mark {
                // What precedes the last known message may belong to the past.
                if past != nil {
                    mark = try await pageForward(&walk, from: last, ask)
                } else {
                    let anchor = last.isEmpty ? nil : try await anchor(&walk, last, known, ask)
                    if try await !readNewest(&walk, after: last, anchor, known, ask) {
                        mark = try await pageForward(&walk, from: anchor?.last, ask)
                    }
                }
            } else {
                (mark, past) = try await loadNewest(&walk, ask)
            }
        } catch .refused(let error) where mark != nil && error.condition == "item-not-found" {
            // The archive no longer has our last known message, nor any before it. The rest is new, unless the archive
            // has assigned new ids: so start at the time of our last message.
            if let last = await known.last() {
                let start = Timestamp(microseconds: (last.milliseconds - Self.clockMargin) * 1000)
                if try await !readNewest(&walk, since: start, known, ask) {
                    mark = try await pageForward(&walk, from: nil, since: start, ask)
                }
            } else {
                (mark, past) = try await loadNewest(&walk, ask)
            }
        }
        if let past { try await load(&walk, past, ask) }
        while isOverfull {
            isOverfull = false
            mark = try await pageForward(&walk, from: mark, ask)
        }
    }

    /// Returns the page before the last known message, so that the walk starts with that message.
    ///
    /// The program may have ended between two pages. A message of ours in neither of them still has the position of its
    /// composition: only the previous page shows that this is wrong, so it is reported again, with what it may have
    /// lacked before.
    ///
    /// - Throws: `RequestError`, also if the archive does not have the message, but answers with its newest page, as
    ///   ejabberd does with the ids of another server.
    private func anchor(
        _ walk: inout Walk, _ mark: String, _ known: Known, _ ask: @escaping Ask
    ) async throws(RequestError) -> Archive.Page {
        var query = Archive.Query(.before(mark))
        query.maximum = Self.missedPages[0]
        let answer = try await ask(query)
        let page = answer.page
        if !page.isComplete, let first = page.items.first, let last = await known.last(),
            first.stamp.microseconds / 1000 > last.milliseconds
        {
            throw .refused(StanzaError(.cancel, "item-not-found"))
        }
        if !page.items.isEmpty { emit(answer, &walk, at: newest(upTo: nil)) }
        return page
    }

    /// Reports the newest page, and returns whether it has everything that follows the last known message.
    ///
    /// If it has not, corrections in it wait for the pages before it, which may have their originals.
    ///
    /// - Parameters:
    ///   - mark: The id of the last known message; nil if the archive does not have it.
    ///   - anchor: The page before that message; nil if the archive was empty.
    ///   - start: The time from which on the archive is read; nil for all of it.
    private func readNewest(
        _ walk: inout Walk, after mark: String? = nil, _ anchor: Archive.Page? = nil,
        since start: Timestamp? = nil, _ known: Known, _ ask: @escaping Ask
    ) async throws(RequestError) -> Bool {
        var query = Archive.Query(.before(nil))
        query.start = start
        query.maximum = Self.newestPage
        let answer = try await ask(query)
        let page = answer.page
        let before = Set(anchor?.items.map(\.id) ?? [])
        if page.isComplete || page.items.contains(where: { $0.id == mark || before.contains($0.id) }) {
            let messages = answer.messages.drop { $0.archiveID.map(before.contains) != false }
            emit(
                Page(page: page, messages: Array(messages)), &walk,
                at: newest(upTo: walk.doubts == doubts ? page.last : nil))
            return true
        }
        walk.newest = answer.messages.compactMap(\.message).filter { $0.relation.corrected == nil }
        walk.until = page.items.first?.stamp
        walk.newerOthers = answer.messages.flatMap(\.others)
        // The user has seen what precedes a message from another device.
        let waiting = await known.waiting()
        walk.newerOthers += walk.newest.compactMap { message in
            guard message.sender == .me, let name = message.archiveName,
                message.name.map(waiting.contains) != true
            else { return nil }
            return .seen(buddy: message.buddy, upTo: .archiveName(name))
        }
        emit([.archived(ArchivePage(newest(upTo: nil), walk.newest))] + walk.newerOthers)
        return false
    }

    /// Pages forward from `mark`; returns the last id.
    private func pageForward(
        _ walk: inout Walk, from mark: String?, since start: Timestamp? = nil, _ ask: @escaping Ask
    ) async throws(RequestError) -> String? {
        var mark = mark
        let gap = ArchiveGap(after: mark, since: start, until: walk.until, ask)
        defer { gap.end() }
        while let answer = try await gap.next() {
            let page = answer.page
            mark = page.last
            emit(answer, &walk, at: newest(upTo: page.isComplete && walk.doubts != doubts ? nil : mark))
            if page.isComplete { break }
            // Wait for the disk: a year's messages would fill the memory.
            await flushed()
        }
        return mark
    }

    /// Reports the newest page, for a device without stored messages; returns its last id, and the past before it.
    ///
    /// Later messages are new, and not the past of a device that reads the archive for the first time.
    private func loadNewest(
        _ walk: inout Walk, _ ask: @escaping Ask
    ) async throws(RequestError) -> (mark: String?, past: ArchivePast?) {
        var query = Archive.Query(.before(nil))
        query.maximum = Self.firstPages[0]
        let answer = try await ask(query)
        let page = answer.page
        guard let last = page.last else {
            emit([mark("")])
            return (nil, nil)
        }
        let past = rest(before: page, pages: Self.firstPages.count - 1)
        emit([.archived(ArchivePage(.past(of: room, rest: past), []))])
        emit(answer, &walk, at: newest(upTo: last), isPast: true)
        return (last, past)
    }

    /// Reports the past, page by page, from the newest to the oldest.
    private func load(
        _ walk: inout Walk, _ past: ArchivePast, _ ask: @escaping Ask
    ) async throws(RequestError) {
        var past: ArchivePast? = past
        while let known = past {
            await flushed()
            var query = Archive.Query(.before(known.name))
            query.maximum = Self.firstPages[max(1, Self.firstPages.count - known.pages)]
            let answer: Page
            do throws(RequestError) {
                answer = try await ask(query)
            } catch .refused(let error) where error.condition == "item-not-found" {
                // The archive has deleted it meanwhile, and all before.
                return emit([.archived(ArchivePage(.past(of: room, rest: nil), []))])
            }
            past = answer.page.first == known.name ? nil : rest(before: answer.page, pages: known.pages - 1)
            emit(answer, &walk, at: .past(of: room, rest: past), isPast: true)
        }
    }

    /// Returns the past that precedes a page; nil if there is none.
    private func rest(before page: Archive.Page, pages: Int) -> ArchivePast? {
        guard !page.isComplete, pages > 0 else { return nil }
        return page.first.map { ArchivePast(before: $0, pages: min(pages, Self.firstPages.count - 1)) }
    }

    /// Reports a page, and discards its messages from those held back.
    ///
    /// - Parameter isPast: Whether its messages are the past, unless they are held back: those came just now.
    private func emit(_ answer: Page, _ walk: inout Walk, at end: ArchivePage.End, isPast: Bool = false) {
        let names = Set(answer.page.items.map(\.id))
        let live = names.intersection(held.compactMap(\.archiveName))
        let messages = answer.messages.compactMap(\.message).map { message in
            isPast && message.archiveName.map(live.contains) != true ? message.past : message
        }
        held.removeAll { $0.archiveName.map(names.contains) == true }
        followers?.removeAll { $0.archiveName.map(names.contains) == true }
        let others = answer.messages.flatMap(\.others)
        if case .past = end {
            // A receipt may be in a newer page than its message.
            emit([.archived(ArchivePage(end, messages))] + others + walk.newerOthers)
        } else {
            let before = walk.ends(of: messages)
            for message in messages where message.relation.corrected == nil {
                walk.ends[message.buddy] = message
            }
            emit(
                [.archived(ArchivePage(end, before + messages + walk.newest(after: messages)))]
                    + others + walk.newerOthers)
        }
        if isPast { walk.newerOthers += others }
    }
}
