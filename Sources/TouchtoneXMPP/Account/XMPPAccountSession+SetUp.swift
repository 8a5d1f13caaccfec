// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

enum SetUpStep: String, CaseIterable {
    case account
    case roster
    /// The copies of other devices' messages.
    case carbons
    case blocked
    case archive
}

// The set-up of a new stream, before anything is sent.
extension XMPPAccountSession {
    func leave() {
        context.renewStream()
        context.stage = .none
        isPresenceTold = false
        stopRetrying()
        for module in modules { module.end() }
    }

    /// Requests waiting messages, once everything reported is saved: what has arrived is no longer waiting.
    func getReady() {
        context.stage = .ready
        context.isAsking = true
        context.readyCount += 1
        let (stream, count) = (context.stream, context.readyCount)
        gatewayModule.start()
        stream.run { [self] in
            await context.flush()
            guard !stream.isOver, count == context.readyCount else { return }
            context.isAsking = false
            // If the connection was lost again, the next stream gets ready.
            guard context.isReady else { return }
            retryLater()
            for stanza in context.outbox.takeWaiting() { context.send(stanza) }
            roomSessions.sendConfirmations()
            context.onEvent?(.ready)
            roomSessions.start()
            reading.shareSoon()
            realTime.start()
            calls.start()
            encryptionModule.start()
        }
    }

    func setUp() {
        context.stage = .settingUp
        stopRetrying()
        retries.reset()
        archive.hold()
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
                roomSessions.load(kept.rooms, kept.conversations)
            }
            try stream.check()
            isRosterLoaded = true
        }
        var steps = Set(SetUpStep.allCases)
        if client.hasCarbons { steps.remove(.carbons) }
        let queries = await archive.archive.firstQueries()
        try stream.check()
        try await ask(steps, stream, ahead: queries)
        // What was read elsewhere is not new when it comes from the archive.
        await reading.waitForMarks()
        try stream.check()
        try await catchUpOnce(stream)
    }

    /// Sends all of these requests except the archive's at once; throws `.disconnected`.
    ///
    /// - Parameter queries: The queries of the archive to send with them.
    private func ask(
        _ steps: Set<SetUpStep>, _ stream: TaskScope, ahead queries: [Archive.Query] = []
    ) async throws(RequestError) {
        unanswered.subtract(steps)
        let (client, archive) = (client, archive)
        let version = client.hasRosterVersions ? context.roster.version ?? "" : nil
        let knowsRoster = version?.isEmpty == false
        let account = asked(.account, of: steps) { () throws(RequestError) in
            try await client.info(of: client.account.jid.bare) { archive.learn($0.features) }
        }
        let list = asked(.roster, of: steps) { () throws(RequestError) in
            try await client.roster(knowing: version)
        }
        let carbons = asked(.carbons, of: steps) { () throws(RequestError) in try await client.enableCarbons()
        }
        let blocked = asked(.blocked, of: steps) { () throws(RequestError) in try await client.blockList() }
        archive.askAhead(queries, on: stream)
        // With a stored roster, the buddies’ presence is understood even before the response. Tasks run in order, so
        // that the server gets the requests first (RFC 6121 section 2.2).
        if knowsRoster {
            context.stream.run { [self] in if !isPresenceTold { tellPresence() } }
        }

        if let info = try await answer(.account, account, stream) {
            pictures.learn(info.features)
            bookmarks.learn(info.features)
            reading.learn(info.features)
            notifications.learn(info.features)
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

    private func load(_ kept: ChatSummary) {
        let list = kept.version.flatMap { RosterVersion($0) }
        if let list { archive.archive.isForeign = list.account != client.account.jid.bare }
        guard !archive.archive.isForeign else { return }
        context.roster = RosterState(kept.buddies, version: list?.version)
        // Those of rooms are in their bookmarks.
        let rooms = Set(kept.rooms.map(\.address))
        notifications.load(kept.conversations.filter { !rooms.contains($0.key) })
    }

    private func catchUpOnce(_ stream: TaskScope) async throws(RequestError) {
        if try await !archive.readMissed(on: stream) { unanswered.insert(.archive) }
        getReady()
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
        (retryTimer, unanswered) = (nil, [])
    }

    private func retry() {
        guard context.isReady else { return }
        let (stream, steps) = (context.stream, unanswered)
        stream.run { [self] in
            do throws(RequestError) {
                try await ask(steps, stream)
                // Messages may have been missed before copies or the archive were available.
                guard archive.isAvailable == true, !steps.isDisjoint(with: [.account, .carbons, .archive])
                else {
                    return retryLater()
                }
                archive.hold()
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
        return Task { await Result.of(question) }
    }

    /// Waits for the response; returns nil if it was refused, did not arrive, or was not requested.
    ///
    /// Without a response in time, it is sent again later: silence is not a refusal. Throws `.disconnected`.
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
