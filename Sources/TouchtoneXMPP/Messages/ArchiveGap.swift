// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The pages of an archive after a known message, in order, which are read from several places at the same time.
///
/// Many servers answer with 50 messages at most, so that page after page takes a round trip for each. Here, up to eight strands
/// walk forward from a place each, by the ids alone, until one meets what the next one has: nothing between them is left out,
/// whatever the server's clock did. Times only choose where a strand starts.
@MainActor
final class ArchiveGap {
    /// The greatest number of queries without an answer.
    ///
    /// Over a line with 100 ms for each round trip, eight of them keep a server busy that needs 13 ms for each, as Prosody does
    /// with 10,000 messages. With more, only its queue grows.
    static let maximumQueries = 8
    /// The numbers of messages that may wait to be taken: of all strands, and of the first one.
    static let maximumWaiting = 10_000
    static let maximumAhead = 500
    /// The greatest number of messages to take together.
    static let maximumTogether = 500

    private final class Strand {
        /// The id after which it continues; nil for the beginning of the archive.
        var last: String?
        /// The times of its first message and its last one; nil as long as they are not known.
        var (first, end): (Timestamp?, Timestamp?)
        /// The time from which on nothing is missing up to the next strand; nil if it is not known.
        var limit: Timestamp?
        /// The microseconds between the ends of its last page; nil before it has a page.
        var span: Int64?
        var names: Set<String> = []
        var pages: [CatchUp.Page] = []
        var isAsked = false
        var isComplete = false
        /// The number of queries for places between it and the next one.
        var splits = 0

        init(after last: String?) { self.last = last }

        var waitingCount: Int { pages.reduce(0) { $0 + $1.messages.count } }
    }

    /// From the oldest to the newest; the first one is never removed.
    private var strands: [Strand]
    /// The time before which every message is missed at most; nil if it is not known.
    private let until: Timestamp?
    /// The time from which on the archive is read; nil for all of it.
    private let start: Timestamp?
    private let ask: CatchUp.Ask
    private var failure: RequestError?
    private var askedCount = 0
    private var mayBeSplit = true
    private var isOver = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// - Parameters:
    ///   - mark: The id of the known message; nil to begin with the first one.
    ///   - start: The time from which on the archive is read; nil for all of it.
    ///   - until: The time of a message that follows what was missed, if one is known.
    init(after mark: String?, since start: Timestamp?, until: Timestamp?, _ ask: @escaping CatchUp.Ask) {
        (strands, self.start, self.until, self.ask) = ([Strand(after: mark)], start, until, ask)
    }

    /// Returns what follows, of one or more pages, which is complete if the archive has no more; nil at the end.
    func next() async throws(RequestError) -> CatchUp.Page? {
        while true {
            if let page = take() {
                work()
                return page
            }
            if let failure { throw failure }
            if strands[0].isComplete { return nil }
            work()
            if failure == nil { await withCheckedContinuation { waiting = $0 } }
        }
    }

    /// Asks nothing more; call it also after an error.
    func end() {
        isOver = true
        wake()
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }

    /// Takes pages of the first strand off, and joins them.
    private func take() -> CatchUp.Page? {
        let front = strands[0]
        guard let first = front.pages.first else { return nil }
        var count = 1
        var size = first.messages.count
        while count < front.pages.count, size + front.pages[count].messages.count <= Self.maximumTogether {
            size += front.pages[count].messages.count
            count += 1
        }
        let pages = front.pages.prefix(count)
        front.pages.removeFirst(count)
        guard count > 1 else { return first }
        let name = pages.first?.page.first
        return CatchUp.Page(
            page: Archive.Page(
                items: pages.flatMap(\.page.items), isComplete: pages.last?.page.isComplete == true,
                set: ResultSet(),
                names: name.flatMap { name in (pages.last?.page.last).map { (name, $0) } }),
            messages: pages.flatMap(\.messages))
    }
}

// MARK: - Queries

extension ArchiveGap {
    /// Asks for as much as may be asked for now.
    private func work() {
        guard !isOver, failure == nil else { return }
        let waitingCount = strands.reduce(0) { $0 + $1.waitingCount }
        for (index, strand) in strands.enumerated() where !strand.isAsked && !strand.isComplete {
            let hasRoom =
                index == 0
                ? strand.waitingCount < Self.maximumAhead
                : waitingCount < Self.maximumWaiting && openCount < Self.maximumQueries
            if hasRoom { ask(for: strand) }
        }
        while mayBeSplit, waitingCount < Self.maximumWaiting, openCount < Self.maximumQueries,
            let (strand, from, to) = widestGap
        {
            split(strand, from, to, into: Self.maximumQueries - openCount + 1)
        }
    }

    private var openCount: Int { strands.reduce(0) { $0 + ($1.isAsked ? 1 : 0) + $1.splits } }

    private func ask(for strand: Strand) {
        var query = Archive.Query(.after(strand.last))
        query.start = start
        query.maximum = CatchUp.missedPages[min(askedCount, CatchUp.missedPages.count - 1)]
        strand.isAsked = true
        send(query) { [self] answer in
            strand.isAsked = false
            guard strands.contains(where: { $0 === strand }) else { return }
            switch answer {
            case .success(let answer): take(answer, of: strand)
            case .failure(let error): fail(strand, error)
            }
        }
    }

    private func send(
        _ query: Archive.Query,
        _ answered: @escaping @MainActor (Result<CatchUp.Page, RequestError>) -> Void
    ) {
        askedCount += 1
        guard askedCount <= CatchUp.maximumPages else {
            failure = .implausible
            return
        }
        Task {
            let answer = await Result.of { () throws(RequestError) in try await ask(query) }
            guard !isOver else { return }
            answered(answer)
            work()
            wake()
        }
    }

    /// Drops a strand, whose messages the one before it reads, too.
    private func fail(_ strand: Strand, _ error: RequestError) {
        mayBeSplit = false
        guard let index = strands.firstIndex(where: { $0 === strand }), index > 0 else {
            failure = error
            return
        }
        strands[index - 1].limit = nil
        strands.remove(at: index)
    }

    private func take(_ answer: CatchUp.Page, of strand: Strand) {
        guard let index = strands.firstIndex(where: { $0 === strand }) else { return }
        let page = answer.page
        guard let last = page.last, last != strand.last else {
            strand.isComplete = true
            strands.removeSubrange((index + 1)...)
            return
        }
        let items = page.items
        for (position, name) in (items.map(\.id) + [last]).enumerated() {
            let later = strands[(index + 1)...].firstIndex { $0.names.contains(name) }
            guard let later else { continue }
            return join(index, later, answer.prefix(min(position, items.count)))
        }
        strand.pages.append(answer)
        strand.names.formUnion(items.map(\.id) + [last])
        strand.last = last
        if let first = items.first, let end = items.last {
            strand.first = strand.first ?? first.stamp
            strand.end = end.stamp
            strand.span = max(0, end.stamp.microseconds - first.stamp.microseconds)
        }
        if page.isComplete {
            strand.isComplete = true
            strands.removeSubrange((index + 1)...)
        }
    }

    /// Lets a strand that was met go on in place of the one that met it, and of those between.
    private func join(_ index: Int, _ later: Int, _ rest: CatchUp.Page?) {
        let (strand, next) = (strands[index], strands[later])
        next.pages = strand.pages + (rest.map { [$0] } ?? []) + next.pages
        next.names.formUnion(strand.names)
        next.first = strand.first
        strands.removeSubrange(index..<later)
    }
}

// MARK: - Splitting

extension ArchiveGap {
    /// The widest gap after a strand, and its ends, if it may take several pages.
    private var widestGap: (Strand, Int64, Int64)? {
        var widest: (Strand, Int64, Int64)?
        for (index, strand) in strands.enumerated() where strand.splits == 0 && !strand.isComplete {
            let next = index + 1 < strands.count ? strands[index + 1].first : until
            guard let from = strand.end?.microseconds, let span = strand.span,
                let to = (strand.limit ?? next)?.microseconds, to - from > max(Self.leastGap, 4 * span),
                widest.map({ to - from > $0.2 - $0.1 }) ?? true
            else { continue }
            widest = (strand, from, to)
        }
        return widest
    }

    /// The least gap to split, in microseconds: some servers know only milliseconds.
    private static let leastGap: Int64 = 16_000

    private func split(_ strand: Strand, _ from: Int64, _ to: Int64, into parts: Int) {
        strand.splits += parts - 1
        for part in 1..<parts {
            let middle = Timestamp(microseconds: from + (to - from) / Int64(parts) * Int64(part))
            var query = Archive.Query(.after(nil))
            query.start = middle
            // Clocks may go back: only the first message follows those before it for certain.
            query.maximum = 1
            send(query) { [self] answer in
                strand.splits -= 1
                guard case .success(let answer) = answer, let item = answer.page.items.first,
                    item.stamp.microseconds >= middle.microseconds - 1_000_000
                else {
                    // The archive cannot be asked so, or cannot be read there.
                    return mayBeSplit = false
                }
                start(at: answer.prefix(1), item, middle)
            }
        }
    }

    /// Starts a strand with a message, which is the first one from a time on, if no strand has it yet.
    private func start(at answer: CatchUp.Page?, _ item: Archive.Item, _ middle: Timestamp) {
        if let known = strands.firstIndex(where: { $0.names.contains(item.id) }) {
            // Nothing is between that time and the strand.
            if known > 0, strands[known].first.map({ middle < $0 }) == true {
                let before = strands[known - 1]
                if before.end.map({ $0 < middle }) ?? true {
                    before.limit = min(before.limit ?? middle, middle)
                }
            }
            return
        }
        let strand = Strand(after: item.id)
        (strand.first, strand.end, strand.names) = (item.stamp, item.stamp, [item.id])
        strand.pages = answer.map { [$0] } ?? []
        strand.isComplete = answer?.page.isComplete == true
        let later = strands.dropFirst().firstIndex { $0.first.map { item.stamp < $0 } ?? false }
        let index = later ?? strands.count
        (strand.limit, strands[index - 1].limit) = (strands[index - 1].limit, nil)
        strands.insert(strand, at: index)
    }
}

extension CatchUp.Page {
    /// Returns the page with its first messages alone; nil without any.
    fileprivate func prefix(_ count: Int) -> CatchUp.Page? {
        let items = page.items.prefix(count)
        guard let first = items.first, let last = items.last else { return nil }
        return CatchUp.Page(
            page: Archive.Page(
                items: Array(items), isComplete: page.isComplete && count >= page.items.count,
                set: ResultSet(), names: (first.id, last.id)),
            messages: Array(messages.prefix(count)))
    }
}
