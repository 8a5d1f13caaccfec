// SPDX-License-Identifier: GPL-3.0-or-later

/// My messages on their way to one service, in order.
///
/// Each is kept before it is sent. Those that were not acknowledged before the connection was lost are sent again once
/// the service is ready, under the same names; those that others came after since then move to the end of their
/// conversations first, since that is where they arrive.
@MainActor
final class Outbox {
    private let service: any ChatService
    private let store: any MessageStore
    private let took: @MainActor (ChatChanges) -> Void
    private let refused: @MainActor (StoreError) -> Void

    private var isGathering = false
    private var gathersAgain = false
    /// What was kept while those that wait from before are gathered.
    private var held: [ChatMessage] = []
    /// Corrections that the server has not acknowledged.
    ///
    /// They live as long as the program: what is kept of a correction is its text.
    private var corrections: [(message: ChatMessage, name: String)] = []

    /// More corrections than anybody makes without a connection.
    static let correctionLimit = 1000

    init(
        service: any ChatService, store: any MessageStore, took: @escaping @MainActor (ChatChanges) -> Void,
        refused: @escaping @MainActor (StoreError) -> Void
    ) {
        (self.service, self.store, self.took, self.refused) = (service, store, took, refused)
    }

    /// Sends a message that is kept.
    func send(_ message: ChatMessage) {
        if isGathering { held.append(message) } else { service.send(message) }
    }

    /// Sends a correction that is kept.
    func sendCorrection(of message: ChatMessage, name: String) {
        if corrections.count < Self.correctionLimit { corrections.append((message, name)) }
        if !isGathering { service.sendCorrection(of: message, name: name) }
    }

    /// The server has what is named so, or will not have it.
    func settle(_ name: String) { corrections.removeAll { $0.name == name } }

    /// The service can send.
    func ready() {
        guard !isGathering else {
            gathersAgain = true
            return
        }
        isGathering = true
        Task { await sendWaiting() }
    }

    private func sendWaiting() async {
        repeat {
            gathersAgain = false
            do throws(StoreError) {
                let waiting = try await store.waiting().filter { service.carries($0.buddy) }
                let moved = try await moveToEnd(waiting)
                // What was written meanwhile now stands before what it came after: it is moved, too.
                let known = Set(waiting.map(\.id))
                if !moved.isEmpty, held.contains(where: { !known.contains($0.id) }) { gathersAgain = true }
                // Not sent twice if it was kept in the meantime.
                held.removeAll { known.contains($0.id) }
                if !gathersAgain {
                    for message in waiting { service.send(moved[message.id] ?? message) }
                }
            } catch {
                refused(error)
            }
        } while gathersAgain
        isGathering = false
        for message in held { service.send(message) }
        held.removeAll()
        for (message, name) in corrections { service.sendCorrection(of: message, name: name) }
    }

    /// Moves messages that wait to the end of their conversations, where they do not stand there.
    private func moveToEnd(_ waiting: [ChatMessage]) async throws(StoreError) -> [Int64: ChatMessage] {
        var facts: [ChatFact] = []
        for (buddy, messages) in Dictionary(grouping: waiting, by: \.buddy) {
            let last = try await store.messages(of: buddy, before: nil, count: messages.count)
            guard last.map(\.id) != messages.map(\.id) else { continue }
            facts += messages.compactMap { message in message.name.map { .postponed(buddy: buddy, name: $0) }
            }
        }
        guard !facts.isEmpty else { return [:] }
        let result = await withCheckedContinuation { continuation in
            store.apply(facts) { continuation.resume(returning: $0) }
        }
        let changes = try result.get()
        took(changes)
        return Dictionary(changes.changed.map { ($0.id, $0) }) { $1 }
    }
}
