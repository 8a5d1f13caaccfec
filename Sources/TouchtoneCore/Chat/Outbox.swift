// SPDX-License-Identifier: GPL-3.0-or-later

/// Messages and corrections to one service, in order, which are saved before they are sent.
///
/// After a lost connection, those that were not acknowledged are sent again under the same IDs. If others
/// followed them in the meantime, they first move to the end of their conversations, where they arrive.
@MainActor
final class Outbox {
    private let service: any ChatService
    private let account: ChatAddress?
    private let store: any MessageStore
    private let took: @MainActor (MessageChanges) -> Void
    private let refused: @MainActor (StoreError) -> Void

    private var isEnded = false
    private var isGathering = false
    private var gathersAgain = false
    /// The messages saved while the waiting ones are gathered.
    private var held: [ChatMessage] = []
    /// The corrected messages saved in the meantime.
    private var heldCorrections: [ChatMessage] = []
    /// The annotations saved in the meantime.
    private var heldAnnotations: [MessageAnnotation] = []

    init(
        service: any ChatService, of account: ChatAddress?, store: any MessageStore,
        took: @escaping @MainActor (MessageChanges) -> Void,
        refused: @escaping @MainActor (StoreError) -> Void
    ) {
        (self.service, self.account) = (service, account)
        (self.store, self.took, self.refused) = (store, took, refused)
    }

    /// Stops sending: the service belongs to a different account now.
    func end() { isEnded = true }

    func send(_ message: ChatMessage) {
        // A file is sent by its address, once it is uploaded.
        guard !isEnded, !message.needsUpload else { return }
        if isGathering { held.append(message) } else { service.messages.send(message) }
    }

    func sendCorrection(of message: ChatMessage) {
        guard !isEnded, let name = message.correction else { return }
        if isGathering {
            heldCorrections.append(message)
        } else {
            service.messages.sendCorrection(of: message, name: name)
        }
    }

    /// Sends a saved annotation.
    func send(_ annotation: MessageAnnotation) {
        guard !isEnded else { return }
        if isGathering { heldAnnotations.append(annotation) } else { service.messages.send(annotation) }
    }

    /// Sends all waiting messages, because the service can send now.
    func ready() {
        guard !isGathering else {
            gathersAgain = true
            return
        }
        isGathering = true
        Task { await sendWaiting() }
    }

    private func sendWaiting() async {
        var (corrections, annotations): ([ChatMessage], [MessageAnnotation]) = ([], [])
        repeat {
            gathersAgain = false
            do throws(StoreError) {
                let waiting = try await gather()
                guard !isEnded else { return }
                // A message saved in the meantime is among the waiting ones: do not send it twice.
                let known = Set(waiting.map(\.id))
                held.removeAll { known.contains($0.id) }
                corrections = try await store.corrections().filter { service.carries($0.buddy) }
                annotations = try await store.outgoingAnnotations().filter { service.carries($0.buddy) }
                guard !isEnded else { return }
                if !gathersAgain {
                    for message in waiting { service.messages.send(message) }
                }
            } catch {
                refused(error)
            }
        } while gathersAgain
        isGathering = false
        for message in held { service.messages.send(message) }
        held.removeAll()
        let newer = heldCorrections
        heldCorrections = []
        // Send only the last correction of each message.
        for message in corrections where !newer.contains(where: { $0.id == message.id }) {
            sendCorrection(of: message)
        }
        for message in newer { sendCorrection(of: message) }
        // What was saved meanwhile may be among the stored ones: the service does not send it twice.
        for annotation in annotations + heldAnnotations { send(annotation) }
        heldAnnotations.removeAll()
    }

    /// Moves the waiting messages to the end of their conversations, and returns them in order.
    ///
    /// Others are written meanwhile. They are read after the move, which keeps the order of all that are there, so that none
    /// comes before an earlier one.
    private func gather() async throws(StoreError) -> [ChatMessage] {
        let buddies = Set(try await waiting().map(\.buddy)).sorted()
        guard !isEnded, !buddies.isEmpty else { return [] }
        let result = await withCheckedContinuation { continuation in
            store.apply(buddies.map { .postponedWaiting($0) }, of: account) {
                continuation.resume(returning: $0)
            }
        }
        switch result {
        case .success(let changes): took(changes)
        // They are sent from where they are.
        case .failure(let error): refused(error)
        }
        return try await waiting()
    }

    private func waiting() async throws(StoreError) -> [ChatMessage] {
        try await store.waiting().filter { service.carries($0.buddy) && !$0.needsUpload }
    }
}
