// SPDX-License-Identifier: GPL-3.0-or-later

extension Conversation {
    /// A request to read messages from the store or the archive.
    enum Load {
        case open, newest, older, newer
        case around(Int64)

        /// Whether it replaces a request for more of the present place, which can be repeated.
        var isJump: Bool {
            switch self {
            case .open, .newest, .around: true
            case .older, .newer: false
            }
        }
    }

    /// Loads older messages, from the archive when the store has no more.
    public func loadOlder() { if hasOlder { load(.older) } }

    public func loadNewer() { if hasNewer { load(.newer) } }

    /// Loads the messages around a place, such as that of a search result.
    public func show(around place: Int64) {
        isAtEnd = false
        load(.around(place))
    }

    public func showNewest() {
        isAtEnd = true
        load(.newest)
    }

    /// Whether the archive may have messages that are older than those in the store.
    var mayAskArchive: Bool { !archiveIsRead && chat.hasArchive(buddy) }

    func load(_ load: Load) {
        loads.add(load, mayReplace: { _ in load.isJump }) { [self] load in
            do throws(StoreError) { try await read(load) } catch { chat.record(error) }
        }
    }

    private func read(_ load: Load) async throws(StoreError) {
        switch load {
        case .open:
            if chat.mayHaveUnread(buddy), let first = try await chat.store.firstUnread(of: buddy) {
                (firstUnread, newCount) = (first.id, chat.buddies.unread(of: buddy))
                isAtEnd = false
                try await readAround(first.place)
                notify(.unreadLine)
            } else {
                try await readNewest()
            }
            // What is shown comes first.
            lastMine = try await chat.store.lastMine(of: buddy) ?? lastMine
            if window.count < Page.size / 4, mayAskArchive { try await readOlder() }
        case .newest: try await readNewest()
        case .around(let place): try await readAround(place)
        case .older: try await readOlder()
        case .newer:
            guard let last = window.last else { return try await readNewest() }
            let page = try await page(from: last.place + 1)
            // The loaded range changed while the page was read.
            guard window.last?.place == last.place else { return }
            show(messages.append(page.items, hasMore: page.hasMore))
        }
    }

    private func readNewest() async throws(StoreError) {
        let page = try await page(before: nil)
        messages.reset(page.items, hasBefore: page.hasMore, hasAfter: false)
        notify(.reset)
    }

    private func readAround(_ place: Int64) async throws(StoreError) {
        var (before, from): (Page, Page)
        var seen: Int
        repeat {
            seen = changeCount
            before = try await page(before: place, count: Page.size / 2)
            from = try await page(from: place)
            // A message may have moved from one page to the other between the two reads.
        } while seen != changeCount
        messages.reset(before.items + from.items, hasBefore: before.hasMore, hasAfter: from.hasMore)
        notify(.reset)
    }

    private func readOlder() async throws(StoreError) {
        let first = window.first?.place
        var page = try await page(before: first ?? .max)
        if page.items.isEmpty, mayAskArchive {
            try await askArchive()
            page = try await self.page(before: first ?? .max)
            // Stop asking an archive that claims to have more but returns nothing.
            if page.items.isEmpty { archiveIsRead = true }
        }
        // The loaded range changed while the page was read.
        guard window.first?.place == first else { return notify(.ends) }
        show(messages.prepend(page.items, hasMore: page.hasMore))
    }

    private func askArchive() async throws(StoreError) {
        let oldest = window.lazy.compactMap(\.archiveName).first
        do throws(ChatServiceError) {
            guard let service = chat.service(of: buddy) else { return }
            archiveIsRead = try await !service.messages.loadHistory(of: buddy, before: oldest)
            await chat.settle()
        } catch {
            // The archive is asked again when the conversation is reopened or the service is ready again.
            archiveIsRead = true
        }
    }

    private func show(_ changes: [PagedWindow<ChatMessage>.Change]) {
        notify(changes)
        notify(.ends)
        markSeen()
    }

    /// Allows the archive to be asked again.
    func serviceIsReady() {
        archiveIsRead = false
        notify(.ends)
    }

    // MARK: Pages

    private typealias Page = PagedWindow<ChatMessage>.Page

    private func page(before place: Int64?, count: Int = Page.size) async throws(StoreError) -> Page {
        let read = try await chat.store.messages(of: buddy, before: place, count: count + 1)
        return Page(read, count: count, atEnd: true)
    }

    private func page(from place: Int64) async throws(StoreError) -> Page {
        Page(try await chat.store.messages(of: buddy, from: place, count: Page.size + 1))
    }
}

extension ChatMessage: WindowItem {
    var position: Int64 { place }
}
