// SPDX-License-Identifier: GPL-3.0-or-later

extension CallHistory {
    /// What is read from the store; of those that wait the last in this order is next.
    enum Load: Int {
        /// More at an end of the window.
        case older, newer
        /// What came since the window was read.
        case arrived
        /// The window once more, where it is.
        case again
        /// The newest.
        case newest
    }

    /// Reads the newest entries, if none were read yet.
    public func open() { if !isOpen { load(.newest) } }

    /// Reads what the query finds anew, from the newest on.
    public func reload() { load(.newest) }

    /// Reads older entries than the window has.
    public func loadOlder() { if hasOlder { load(.older) } }

    /// Reads newer entries than the window has.
    public func loadNewer() { if hasNewer { load(.newer) } }

    /// Whether a list has asked for entries.
    var isOpen: Bool { isLoaded || isLoading }

    func load(_ load: Load) {
        guard !isLoading else {
            // More at an end can be asked for again.
            let least = wanted ?? .arrived
            if load.rawValue >= least.rawValue { wanted = load }
            return
        }
        isLoading = true
        Task {
            do throws(StoreError) {
                try await read(load)
            } catch {
                note(error)
            }
            isLoading = false
            if let next = wanted {
                wanted = nil
                self.load(next)
            }
        }
    }

    private func read(_ load: Load) async throws(StoreError) {
        switch load {
        case .newest: try await readNewest(LoadedHistory.page)
        case .again: try await readAgain()
        case .older:
            guard let last = entries.entries.last else { return try await readNewest(LoadedHistory.page) }
            let page = try await page(below: last.id, count: LoadedHistory.page)
            guard entries.entries.last?.id == last.id else { return notify(.entries) }
            show { $0.append(page.entries, hasMore: page.hasMore) }
        case .newer, .arrived:
            // What came is read when the top is come to.
            if load == .arrived, hasNewer { return }
            guard let first = entries.entries.first else { return try await readNewest(LoadedHistory.page) }
            let page = try await page(from: first.id + 1)
            guard entries.entries.first?.id == first.id else { return notify(.entries) }
            show { $0.prepend(page.entries, hasMore: page.hasMore) }
        }
    }

    private func readNewest(_ count: Int) async throws(StoreError) {
        let page = try await page(below: nil, count: count)
        show { $0.reset(page.entries, hasOlder: page.hasMore, hasNewer: false) }
    }

    /// Reads the run that the window has, with what was brought back in it and beside it.
    private func readAgain() async throws(StoreError) {
        let count = min(LoadedHistory.limit, entries.entries.count + LoadedHistory.page)
        let restored = firstRestored ?? 0
        firstRestored = nil
        guard hasNewer, let first = entries.entries.first else { return try await readNewest(count) }
        let page = try await page(below: max(first.id, restored) + 1, count: count)
        show { $0.reset(page.entries, hasOlder: page.hasMore, hasNewer: true) }
    }

    private func show(_ change: (inout LoadedHistory) -> Void) {
        // What is looked for is another meanwhile: that is read next.
        guard wanted != .newest else { return }
        change(&entries)
        isLoaded = true
        notify(.entries)
    }

    // MARK: Pages

    private typealias Page = (entries: [HistoryEntry], hasMore: Bool)

    /// Reads one more than is shown, to see whether there are more.
    private func page(below id: Int64?, count: Int) async throws(StoreError) -> Page {
        let page = try await store.entries(query, below: id, count: count + 1)
        return (Array(page.prefix(count)), page.count > count)
    }

    private func page(from id: Int64) async throws(StoreError) -> Page {
        let count = LoadedHistory.page
        let page = try await store.entries(query, from: id, count: count + 1)
        return (Array(page.prefix(count)), page.count > count)
    }
}
