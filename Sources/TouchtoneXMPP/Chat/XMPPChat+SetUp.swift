// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The questions that a new stream begins with.
enum SetUpStep: String, CaseIterable {
    /// The features of the account: whether it has an archive.
    case account
    /// The list of buddies.
    case roster
    /// The copies of other devices' messages.
    case carbons
    /// The list of blocked addresses.
    case blocked
    /// The messages that were missed.
    case archive
}

// What is done with a new stream, before anything is sent.
extension XMPPChat {
    /// Whether messages can be sent now.
    var isReady: Bool {
        guard case .ready = stage, !isAsking, case .online = client.state else { return false }
        return true
    }

    func leave() {
        turn += 1
        stage = .none
        isPresenceTold = false
        stopRetrying()
        pictures.reset()
        tellAll(book.begin())
    }

    /// Asks for what waits, once all that was told is kept: what has arrived waits no more.
    func getReady() {
        stage = .ready
        isAsking = true
        readyCount += 1
        let (turn, count) = (turn, readyCount)
        Task {
            await allIsKept()
            guard turn == self.turn, count == readyCount else { return }
            isAsking = false
            // Lost again meanwhile: then it gets ready again.
            guard isReady else { return }
            retryLater()
            for stanza in outbox.takeWaiting() { send(stanza) }
            onEvent?(.ready)
        }
    }

    func setUp() {
        stage = .settingUp
        stopRetrying()
        retries.reset()
        catchUp.begin()
        let turn = turn
        Task {
            do throws(RequestError) {
                try await setUp(turn)
            } catch {
                interrupt(turn)
            }
        }
    }

    /// Only a lost connection ends it: it is set up again when the stream goes on, or with the next.
    private func interrupt(_ turn: Int) {
        guard turn == self.turn else { return }
        stage = .interrupted
        // It may have come back in the meantime.
        if case .online = client.state { setUp() }
    }

    private func setUp(_ turn: Int) async throws(RequestError) {
        if !isBookLoaded {
            let kept = try? await store.summary()
            if !isBookLoaded, let kept { load(kept) }
            isBookLoaded = true
            guard turn == self.turn else { throw .disconnected }
        }
        try await ask(Set(SetUpStep.allCases), turn)
        try await catchUpOnce(turn)
    }

    /// Asks all of these questions but the archive's at once, and takes the answers.
    ///
    /// - Throws: `RequestError.disconnected`.
    private func ask(_ steps: Set<SetUpStep>, _ turn: Int) async throws(RequestError) {
        unanswered.subtract(steps)
        let client = client
        let version = client.hasRosterVersions ? book.version ?? "" : nil
        let account = asked(.account, of: steps) { () throws(RequestError) in
            try await client.info(of: client.account.jid.bare)
        }
        let roster = asked(.roster, of: steps) { () throws(RequestError) in
            try await client.roster(knowing: version)
        }
        let carbons = asked(.carbons, of: steps) { () throws(RequestError) in try await client.enableCarbons()
        }
        let blocked = asked(.blocked, of: steps) { () throws(RequestError) in try await client.blockList() }

        if let info = try await answer(.account, account, turn) {
            hasArchive = info.features.contains(Archive.namespace)
        }
        if let roster = try await answer(.roster, roster, turn) ?? nil { tellAll(book.take(roster)) }
        if !isPresenceTold { tellPresence() }
        if let jids = try await answer(.blocked, blocked, turn) { tellAll(book.take(blocked: jids)) }
        // Before the archive is asked: between its answer and the first copy there would be a gap.
        _ = try await answer(.carbons, carbons, turn)
    }

    /// Takes over what is kept of buddies, if they are this account's.
    private func load(_ kept: ChatSummary) {
        let list = kept.version.flatMap { RosterVersion($0) }
        if let list { isOtherAccount = list.account != client.account.jid.bare }
        if !isOtherAccount { book = RosterState(kept.buddies, version: list?.version) }
    }

    private func catchUpOnce(_ turn: Int) async throws(RequestError) {
        guard hasArchive == true else {
            catchUp.end(isComplete: false)
            return getReady()
        }
        // What was told before the connection was lost may still be on its way to the store.
        await allIsKept()
        let mark = isOtherAccount ? nil : (try? await store.archiveCursor()) ?? nil
        guard turn == self.turn else { throw .disconnected }
        let (client, store) = (client, store)
        let known = CatchUp.Known(mark: mark) {
            (try? await store.summary())?.conversations.values.max()
        }
        do throws(RequestError) {
            try await catchUp.run(from: known) {
                query throws(RequestError) in
                guard turn == self.turn else { throw .disconnected }
                return try await client.archive(query)
            }
            guard turn == self.turn else { throw .disconnected }
            catchUp.end(isComplete: true)
            isOtherAccount = false
        } catch {
            guard error != .disconnected, turn == self.turn else { throw .disconnected }
            onDropped?("the archive did not answer: \(error)")
            // The rest works without; what comes is told, and the archive asked again from where it is known.
            catchUp.end(isComplete: false)
            unanswered.insert(.archive)
        }
        getReady()
    }

    /// Asks once more, after a while, what nobody has answered.
    ///
    /// Without a connection it waits for the next `getReady`.
    private func retryLater() {
        guard retryTimer == nil, !unanswered.isEmpty else { return }
        var random = SystemRandomNumberGenerator()
        retryTimer = clock.schedule(after: retries.next(using: &random)) { [weak self] in
            self?.retryTimer = nil
            self?.retry()
        }
    }

    private func stopRetrying() {
        retryTimer?.cancel()
        (retryTimer, unanswered) = (nil, [])
    }

    private func retry() {
        guard isReady else { return }
        let (turn, steps) = (turn, unanswered)
        Task {
            do throws(RequestError) {
                try await ask(steps, turn)
                // Messages may have been missed before the copies or the archive were known.
                guard hasArchive == true, !steps.isDisjoint(with: [.account, .carbons, .archive]) else {
                    return retryLater()
                }
                catchUp.begin()
                stage = .settingUp
                try await catchUpOnce(turn)
            } catch {
                interrupt(turn)
            }
        }
    }

    /// Asks one of the questions if it is among those to be asked, without waiting.
    private func asked<Value: Sendable>(
        _ step: SetUpStep, of steps: Set<SetUpStep>,
        _ question: @escaping @MainActor () async throws(RequestError) -> Value
    ) -> Task<Result<Value, RequestError>, Never>? {
        guard steps.contains(step) else { return nil }
        return Task {
            do throws(RequestError) {
                return .success(try await question())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Waits for the answer; nil if it was refused, did not come, or was not asked for.
    ///
    /// A question that got no answer in time is noted: nothing follows from silence.
    ///
    /// - Throws: `RequestError.disconnected`.
    private func answer<Value>(
        _ step: SetUpStep, _ question: Task<Result<Value, RequestError>, Never>?, _ turn: Int
    ) async throws(RequestError) -> Value? {
        guard let result = await question?.value else { return nil }
        guard turn == self.turn else { throw .disconnected }
        switch result {
        case .success(let value): return value
        case .failure(.disconnected): throw .disconnected
        case .failure(.timeout):
            onDropped?("the question of the set-up for “\(step.rawValue)” was not answered")
            unanswered.insert(step)
            return nil
        case .failure: return nil
        }
    }
}
