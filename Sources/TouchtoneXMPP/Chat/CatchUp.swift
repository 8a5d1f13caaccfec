// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Learns from the archive what was missed (XEP-0313), and holds back meanwhile what comes by the stream: so that all
/// is told in the archive's order.
///
/// Only what the archive has, too, is held back alone: nothing is lost if the program ends before it is told.
@MainActor
final class CatchUp {
    /// The most messages that are held back; with more, the archive is asked for them once more in the end.
    static let maximumHeld = 1000
    /// The most pages that are loaded where nothing is known yet.
    static let maximumFirstPages = 3
    /// The most messages of a page of what was missed.
    static let maximumPerWalk = 100
    /// The most pages of one walk: an archive with more goes round in circles, or is asked for the rest later.
    static let maximumPages = 2000
    /// By how much this machine's clock may be ahead of the server's, in milliseconds.
    private static let clockMargin: Int64 = 600_000

    /// Asks for a page of the archive.
    typealias Ask = @MainActor (Archive.Query) async throws(RequestError) -> Archive.Page

    /// What is known already.
    struct Known {
        /// Up to where the archive is; nil if nothing of it.
        let mark: String?
        /// Tells of when the last message is, of whatever conversation; nil if there is none.
        let last: @MainActor () async -> ChatTime?
    }

    private struct Held {
        let archiveName: String?
        let facts: [MessageUpdate]
    }

    /// Whether all is known up to now, so that what comes by the stream is what the archive has next.
    private(set) var isComplete = false
    private var isHolding = false
    private var isOverfull = false
    private var held: [Held] = []
    /// The last message of each conversation that was told of the archive since the beginning: what follows it is told
    /// with it, so that its order holds from one page to the next.
    private var walked: [ChatAddress: ReceivedMessage] = [:]
    private let tell: @MainActor ([MessageUpdate]) -> Void
    private let reader: @MainActor () -> MessageMapper
    private let flushed: @MainActor () async -> Void

    /// Creates it.
    ///
    /// - Parameters:
    ///   - reader: reads what the archive has.
    ///   - flushed: waits until what was told is kept.
    ///   - tell: called with what has become known, in order.
    init(
        reader: @escaping @MainActor () -> MessageMapper, flushed: @escaping @MainActor () async -> Void,
        tell: @escaping @MainActor ([MessageUpdate]) -> Void
    ) {
        self.reader = reader
        self.flushed = flushed
        self.tell = tell
    }

    /// From now on what comes is held back.
    func begin() {
        isHolding = true
        isComplete = false
        walked = [:]
    }

    /// Tells what was held back, and all that comes from now on at once.
    func end(isComplete: Bool) {
        self.isComplete = isComplete
        isHolding = false
        isOverfull = false
        walked = [:]
        var facts = held.flatMap(\.facts)
        if isComplete, let name = held.last(where: { $0.archiveName != nil })?.archiveName {
            facts.append(Self.mark(name))
        }
        held = []
        if !facts.isEmpty { tell(facts) }
    }

    /// Forgets what was held back: it was another account's.
    func reset() {
        (held, walked, isHolding, isComplete, isOverfull) = ([], [:], false, false, false)
    }

    /// Takes what came by the stream.
    ///
    /// - Returns: what is to be told of it now.
    func take(_ reading: MessageMapper.Reading) -> [MessageUpdate] {
        guard isHolding else {
            return reading.facts + (isComplete ? reading.archiveName.map { [Self.mark($0)] } ?? [] : [])
        }
        // What nobody else has is told at once. So is what is said of other messages, and again in the end, when those
        // will be known.
        let now = reading.archiveName == nil ? reading.facts : reading.others
        let later = reading.archiveName == nil ? reading.others : reading.facts
        guard !isOverfull, reading.archiveName != nil || !later.isEmpty else { return now }
        held.append(Held(archiveName: reading.archiveName, facts: later))
        if held.count > Self.maximumHeld { (held, isOverfull) = ([], true) }
        return now
    }

    private static func mark(_ name: String) -> MessageUpdate {
        .archived(ArchivePage(.newest(upTo: name), []))
    }
}

// MARK: - The archive

extension CatchUp {
    /// Tells all that the archive has and that is not known.
    ///
    /// - Throws: `RequestError`; what was told until then stands, and the next time goes on from there.
    func run(from known: Known, _ ask: Ask) async throws(RequestError) {
        var mark = known.mark
        do throws(RequestError) {
            if let known = mark {
                mark = try await walk(from: try await anchor(known, ask), ask)
            } else {
                mark = try await loadRecent(ask)
            }
        } catch .refused(let error) where mark != nil && error.condition == "item-not-found" {
            // It has forgotten what we knew last, and all before that. What it has left is new, unless it names all
            // anew: then it is better to begin with what came since our last message.
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

    /// The name before the one up to which all is known, so that the walk begins with that; nil is the beginning.
    ///
    /// The program may have ended between two pages. What is mine and was in neither yet stands where it was written:
    /// that its place is wrong is seen only beside the page before, of which the last messages are told again.
    private func anchor(_ mark: String, _ ask: Ask) async throws(RequestError) -> String? {
        var query = Archive.Query(.before(mark))
        query.maximum = Self.maximumPerWalk
        let page = try await ask(query)
        let reader = reader()
        for item in page.items {
            let message = reader.read(item.message, .archive(item.id, item.stamp)).message
            if let message, message.corrects == nil { walked[message.buddy] = message }
        }
        return page.last
    }

    /// Tells what comes after a name, page by page; gives the last name.
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
            tell(page, upTo: last)
            if page.isComplete { return mark }
            // Not faster than the disk: a year's messages would fill the memory.
            await flushed()
        }
        throw .implausible
    }

    /// Tells the last pages, for who was never here; gives the last name.
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
        let live = Set(held.compactMap(\.archiveName))
        for page in pages { tell(page, upTo: page.last, isHistory: true) }
        tellSeen(pages.flatMap(\.items).filter { !live.contains($0.id) })
        return pages.last.flatMap { $0.last }
    }

    /// Tells a page, and holds back no more what is in it.
    ///
    /// - Parameter isHistory: whether it is too old for its senders to be told that it arrived.
    private func tell(_ page: Archive.Page, upTo last: String?, isHistory: Bool = false) {
        let reader = reader()
        let readings = page.items.map { reader.read($0.message, .archive($0.id, $0.stamp)) }
        let messages = readings.compactMap(\.message).map { isHistory ? $0.wantingNothing : $0 }
        let names = Set(page.items.map(\.id))
        held.removeAll { $0.archiveName.map { names.contains($0) } == true }
        let before = Set(messages.map(\.buddy)).sorted().compactMap { walked[$0] }
        for message in messages where message.corrects == nil { walked[message.buddy] = message }
        tell([.archived(ArchivePage(.newest(upTo: last), before + messages))] + readings.flatMap(\.others))
    }

    /// What was there before this device first signed in is no news.
    private func tellSeen(_ items: [Archive.Item]) {
        let reader = reader()
        var last: [ChatAddress: String] = [:]
        for item in items {
            let message = reader.read(item.message, .archive(item.id, item.stamp)).message
            if let message, message.sender != .me, let name = message.name { last[message.buddy] = name }
        }
        let facts = last.sorted { $0.key < $1.key }.map {
            MessageUpdate.seen(buddy: $0.key, upTo: .name($0.value))
        }
        if !facts.isEmpty { tell(facts) }
    }
}

extension ReceivedMessage {
    /// The same, with nothing to be told to its sender.
    var wantingNothing: ReceivedMessage {
        ReceivedMessage(
            buddy: buddy, sender: sender, text: text, time: time, name: name, archiveName: archiveName,
            corrects: corrects)
    }
}
