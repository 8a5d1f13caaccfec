// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The requests at the start of a new stream.
enum SetUpStep: String, CaseIterable {
    /// The features of the account: whether it has an archive.
    case account
    /// The roster.
    case roster
    /// The copies of other devices' messages.
    case carbons
    /// The block list.
    case blocked
    /// The messages that were missed.
    case archive
}

// The set-up of a new stream, before anything is sent.
extension XMPPAccountSession {
    func leave() {
        context.renewStream()
        context.stage = .none
        isPresenceTold = false
        stopRetrying()
        endModules()
        context.emit(context.roster.begin())
    }

    /// Requests waiting messages, once everything reported is saved: what has arrived is no longer waiting.
    func getReady() {
        context.stage = .ready
        context.isAsking = true
        readyCount += 1
        let (stream, count) = (context.stream, readyCount)
        gatewayModule.start()
        stream.run { [self] in
            await context.flush()
            guard !stream.isOver, count == readyCount else { return }
            context.isAsking = false
            // If the connection was lost again, the next stream gets ready.
            guard context.isReady else { return }
            retryLater()
            for stanza in context.outbox.takeWaiting() { context.send(stanza) }
            roomSessions.sendConfirmations()
            context.onEvent?(.ready)
            roomSessions.start()
        }
    }

    func setUp() {
        context.stage = .settingUp
        stopRetrying()
        retries.reset()
        catchUp.begin()
        let stream = context.stream
        stream.run { [self] in
            do throws(RequestError) {
                try await setUp(stream)
            } catch {
                interrupt(stream)
            }
        }
    }

    /// Interrupts the set-up after a lost connection; it restarts when the stream is resumed, or with the next stream.
    private func interrupt(_ stream: TaskScope) {
        guard !stream.isOver else { return }
        context.stage = .interrupted
        // The stream may have been resumed in the meantime.
        if client.state == .online { setUp() }
    }

    private func setUp(_ stream: TaskScope) async throws(RequestError) {
        if !isRosterLoaded {
            let kept = await stored?.value
            if !isRosterLoaded, !stream.isOver, let kept {
                load(kept)
                roomSessions.load(kept.rooms)
            }
            try stream.check()
            isRosterLoaded = true
        }
        try await ask(Set(SetUpStep.allCases), stream)
        try await catchUpOnce(stream)
    }

    /// Sends all of these requests except the archive's at once, and handles the responses.
    ///
    /// - Throws: `RequestError.disconnected`.
    private func ask(_ steps: Set<SetUpStep>, _ stream: TaskScope) async throws(RequestError) {
        unanswered.subtract(steps)
        let client = client
        let version = client.hasRosterVersions ? context.roster.version ?? "" : nil
        let knowsRoster = version?.isEmpty == false
        let account = asked(.account, of: steps) { () throws(RequestError) in
            try await client.info(of: client.account.jid.bare)
        }
        let list = asked(.roster, of: steps) { () throws(RequestError) in
            try await client.roster(knowing: version)
        }
        let carbons = asked(.carbons, of: steps) { () throws(RequestError) in try await client.enableCarbons()
        }
        let blocked = asked(.blocked, of: steps) { () throws(RequestError) in try await client.blockList() }
        // With a stored roster, the buddies’ presence is understood even before the response. Tasks run in order, so
        // that the server gets the requests first (RFC 6121 section 2.2).
        if knowsRoster {
            context.stream.run { [self] in if !isPresenceTold { tellPresence() } }
        }

        if let info = try await answer(.account, account, stream) {
            hasArchive = info.features.contains(Archive.namespace)
            pictures.learn(info.features)
            context.hasOldBookmarks = !info.features.contains(PubSub.convertedBookmarks)
        }
        if let list = try await answer(.roster, list, stream) ?? nil {
            context.emit(context.roster.handle(list))
        }
        if !isPresenceTold { tellPresence() }
        if let jids = try await answer(.blocked, blocked, stream) {
            context.emit(context.roster.handle(blocked: jids))
        }
        pictures.readOwn()
        // Before the archive is queried, so that no message is missed between its response and the first copy.
        _ = try await answer(.carbons, carbons, stream)
    }

    /// Loads the stored buddies, if they belong to this account.
    private func load(_ kept: ChatSummary) {
        let list = kept.version.flatMap { RosterVersion($0) }
        if let list { isOtherAccount = list.account != client.account.jid.bare }
        if !isOtherAccount { context.roster = RosterState(kept.buddies, version: list?.version) }
    }

    private func catchUpOnce(_ stream: TaskScope) async throws(RequestError) {
        guard hasArchive == true else {
            catchUp.end()
            return getReady()
        }
        do throws(RequestError) {
            try await catchUp.run(from: try await known(stream), pages(stream))
            try stream.check()
            catchUp.end()
            isOtherAccount = false
            lookLater(stream)
        } catch {
            guard error != .disconnected, !stream.isOver else { throw .disconnected }
            context.onDropped?("the archive did not respond: \(error)")
            // Everything else works without the archive; a later query starts at the last known id.
            catchUp.end()
            unanswered.insert(.archive)
        }
        getReady()
    }

    /// Asks the archive for what the server may have lost when the stream was resumed.
    func checkArchive() {
        guard hasArchive == true, context.stage == .ready else { return }
        catchUp.doubt()
        lookLater(context.stream)
    }

    /// Asks the archive again, soon and once more after a while, for what its answers may have lacked.
    private func lookLater(_ stream: TaskScope) {
        archiveTimer?.cancel()
        archiveTimer = clock.schedule(after: CatchUp.firstLook) { [weak self] in
            guard let self, !stream.isOver else { return }
            let first = look(isLast: false, stream)
            archiveTimer = clock.schedule(after: CatchUp.lag - CatchUp.firstLook) { [weak self] in
                _ = self?.look(isLast: true, stream, after: first)
            }
        }
    }

    /// Asks the archive again on a stream that is not interrupted, once an earlier look has ended.
    private func look(isLast: Bool, _ stream: TaskScope, after earlier: Task<Void, Never>? = nil) -> Task<
        Void, Never
    > {
        stream.run { [self] in
            await earlier?.value
            guard !stream.isOver, client.state == .online else { return }
            do throws(RequestError) {
                try await catchUp.look(isLast: isLast, from: try await known(stream), pages(stream))
            } catch {
                context.onDropped?("the archive was not checked: \(error)")
            }
        }
    }

    /// Returns the stored state of the archive.
    private func known(_ stream: TaskScope) async throws(RequestError) -> CatchUp.Known {
        // Updates from before the connection was lost may not have reached the store yet.
        await context.flush()
        let mark = isOtherAccount ? nil : (try? await context.store.archiveCursor(of: nil)) ?? nil
        let past = (try? await context.store.archivePast(of: nil)) ?? nil
        try stream.check()
        return CatchUp.Known(mark: mark, past: past) { [store = context.store] in
            (try? await store.summary())?.conversations.values.max()
        }
    }

    /// Returns the requests for pages of the archive on one stream.
    private func pages(_ stream: TaskScope) -> CatchUp.Ask {
        { [self] query throws(RequestError) in
            try stream.check()
            let page = try await client.archive(query)
            let messages = await context.pipeline.read(page, reader)
            try stream.check()
            return CatchUp.Page(page: page, messages: messages)
        }
    }

    /// Schedules another attempt of the requests without a response.
    ///
    /// Without a connection, they are sent again after the next `getReady()`.
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
        archiveTimer?.cancel()
        (retryTimer, archiveTimer, unanswered) = (nil, nil, [])
    }

    private func retry() {
        guard context.isReady else { return }
        let (stream, steps) = (context.stream, unanswered)
        stream.run { [self] in
            do throws(RequestError) {
                try await ask(steps, stream)
                // Messages may have been missed before copies or the archive were available.
                guard hasArchive == true, !steps.isDisjoint(with: [.account, .carbons, .archive]) else {
                    return retryLater()
                }
                catchUp.begin()
                context.stage = .settingUp
                try await catchUpOnce(stream)
            } catch {
                interrupt(stream)
            }
        }
    }

    /// Sends a request if it is among `steps`, without waiting for the response.
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

    /// Waits for the response; returns nil if it was refused, did not arrive, or was not requested.
    ///
    /// A request without a response in time is sent again later: silence is not a refusal.
    ///
    /// - Throws: `RequestError.disconnected`.
    private func answer<Value>(
        _ step: SetUpStep, _ question: Task<Result<Value, RequestError>, Never>?, _ stream: TaskScope
    ) async throws(RequestError) -> Value? {
        guard let result = await question?.value else { return nil }
        try stream.check()
        switch result {
        case .success(let value): return value
        case .failure(.disconnected): throw .disconnected
        case .failure(.timeout):
            context.onDropped?("the set-up request for “\(step.rawValue)” timed out")
            unanswered.insert(step)
            return nil
        case .failure: return nil
        }
    }
}
