// SPDX-License-Identifier: GPL-3.0-or-later

extension CallHistory {
    /// A kind of read from the store; of those pending, the one with the greatest raw value is next.
    enum Load: Int {
        /// More entries at an end of the window.
        case older, newer
        /// The entries that arrived since the last read.
        case arrived
        /// The present window again.
        case again
        /// The newest entries.
        case newest
    }

    /// Reads the newest entries, unless entries were read already.
    public func open() { if !isOpen { load(.newest) } }

    /// Reads the results of the query again, from the newest on.
    public func reload() { load(.newest) }

    public func loadOlder() { if hasOlder { load(.older) } }

    public func loadNewer() { if hasNewer { load(.newer) } }

    var isOpen: Bool { isLoaded || loads.isLoading }

    func load(_ load: Load) {
        // A list can request more at an end again.
        loads.add(load, mayReplace: { load.rawValue >= ($0 ?? .arrived).rawValue }) { [self] load in
            do throws(StoreError) { try await read(load) } catch { note(error) }
        }
    }

    private func read(_ load: Load) async throws(StoreError) {
        switch load {
        case .newest: try await readNewest(Page.size)
        case .again: try await readAgain()
        case .older:
            guard let last = entries.items.last else { return try await readNewest(Page.size) }
            let page = try await page(below: last.id, count: Page.size)
            guard entries.items.last?.id == last.id else { return notify(.entries) }
            show { $0.append(page.items, hasMore: page.hasMore) }
        case .newer, .arrived:
            // New entries are read when the list is scrolled to the top.
            if load == .arrived, hasNewer { return }
            guard let first = entries.items.first else { return try await readNewest(Page.size) }
            let page = try await page(from: first.id + 1)
            guard entries.items.first?.id == first.id else { return notify(.entries) }
            show { $0.prepend(page.items.reversed(), hasMore: page.hasMore) }
        }
    }

    private func readNewest(_ count: Int) async throws(StoreError) {
        let page = try await page(below: nil, count: count)
        show { $0.reset(page.items, hasBefore: false, hasAfter: page.hasMore) }
    }

    private func readAgain() async throws(StoreError) {
        let count = min(PagedWindow<HistoryEntry>.limit, window.count + Page.size)
        let restored = firstRestored ?? 0
        firstRestored = nil
        guard hasNewer, let first = entries.items.first else { return try await readNewest(count) }
        let page = try await page(below: max(first.id, restored) + 1, count: count)
        show { $0.reset(page.items, hasBefore: true, hasAfter: page.hasMore) }
    }

    private func show(_ change: (inout PagedWindow<HistoryEntry>) -> Void) {
        // The query has changed in the meantime, and its results are read next.
        guard loads.next != .newest else { return }
        change(&entries)
        isLoaded = true
        notify(.entries)
    }

    // MARK: Pages

    private typealias Page = PagedWindow<HistoryEntry>.Page

    private func page(below id: Int64?, count: Int) async throws(StoreError) -> Page {
        Page(try await store.entries(query, below: id, count: count + 1), count: count)
    }

    /// Reads entries from an id upwards, **oldest** first.
    private func page(from id: Int64) async throws(StoreError) -> Page {
        Page(try await store.entries(query, from: id, count: Page.size + 1))
    }
}

extension HistoryEntry: WindowItem {
    /// The newest entry is the first.
    var position: Int64 { -id }
}

extension Array<HistoryEntry> {
    /// By the beginning of the calls, newest first; of those that began together, by their end.
    var newestFirst: [HistoryEntry] {
        sorted { ($0.call.began.milliseconds, $0.id) > ($1.call.began.milliseconds, $1.id) }
    }
}
