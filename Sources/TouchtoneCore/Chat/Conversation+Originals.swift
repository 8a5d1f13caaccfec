// SPDX-License-Identifier: GPL-3.0-or-later

// The search for the messages that others reply to (XEP-0461).
extension Conversation {
    public enum Original: Hashable, Sendable {
        case found(ChatMessage)
        /// Neither the store nor the archive has it, or it is further back than is looked.
        case missing
        /// The store does not have it, and there is no connection to an archive.
        case unavailable
        /// The user has looked for another one meanwhile, or has left the conversation.
        case outdated
    }

    /// The maximum number of pages of the archive that are loaded for one message.
    static let maximumPages = 100

    /// Finds the message that another one replies to, in the store or in the archive.
    ///
    /// The archive is read backwards from the oldest message in the store, so that no gap remains: archives know messages of
    /// two by IDs of their own alone, which a reply does not name.
    ///
    /// - Parameter asksArchive: Called before the archive is asked, which may take several seconds.
    public func original(
        of reply: ChatMessage, asksArchive: @MainActor () -> Void
    ) async -> Original {
        searchCount += 1
        let number = searchCount
        do throws(StoreError) {
            if let found = try await known(reply) { return found }
            guard number == searchCount, chat.selected === self else { return .outdated }
            guard chat.hasArchive(buddy), let service = chat.service(of: buddy) else { return .unavailable }
            asksArchive()
            var asked: Set<String?> = []
            while asked.count < Self.maximumPages, mayAskArchive {
                let oldest = try await oldestInArchive()
                // An archive that returns nothing new would be asked for ever.
                guard asked.insert(oldest).inserted else { break }
                await loadPage(before: oldest, from: service)
                if let found = try await known(reply) { return found }
                guard number == searchCount, chat.selected === self else { return .outdated }
            }
        } catch {
            chat.record(error)
        }
        return .missing
    }

    private func known(_ reply: ChatMessage) async throws(StoreError) -> Original? {
        guard let original = try await chat.store.original(of: reply) else { return nil }
        return original.retraction?.isHere == true ? .missing : .found(original)
    }

    private func oldestInArchive() async throws(StoreError) -> String? {
        try await chat.store.messages(of: buddy, from: .min, count: PagedWindow<ChatMessage>.Page.size)
            .lazy.compactMap(\.archiveName).first
    }

    private func loadPage(before oldest: String?, from service: any ChatService) async {
        do throws(ChatServiceError) {
            archiveIsRead = try await !service.messages.loadHistory(of: buddy, before: oldest)
            await chat.settle()
        } catch {
            // It is asked again when the service is ready again.
            archiveIsRead = true
        }
        if archiveIsRead { notify(.ends) }
    }
}
