// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A stream while it is up: it reads, checks and counts stanzas, and checks that the server responds.
@MainActor
final class OnlineSession {
    /// The full address of this device.
    let jid: JID
    /// The stanza counts (XEP-0198); nil if the server has no stream management.
    private(set) var management: StreamManagement?
    /// Our stanzas that the server has not acknowledged, oldest first.
    var waiting: [XMLElement] { management?.waiting ?? pinged.waiting }

    struct Listener {
        /// Returns what other devices are told of this one.
        let info: @MainActor () -> DiscoInfo
        /// Called with a stanza that arrived, unless it is a response or was answered.
        let received: @MainActor (InboundStanza) -> Void
        /// Called with our stanzas that the server has acknowledged.
        let acknowledged: @MainActor ([XMLElement]) -> Void
        /// Called with a closure to call once everything received so far may be acknowledged.
        let settled: @MainActor (@escaping @MainActor () -> Void) -> Void
        let ended: @MainActor (OnlineSession, XMPPError) -> Void
    }

    private let stream: XMLStream
    private let early: [XMLElement]
    private let later: [XMLStream.Item]
    private(set) var features: StreamFeatures
    private let listener: Listener
    private let clock: any Scheduler
    private let timeouts: Timeouts
    private let questions: IQTracker
    private let archiveQueries: ArchiveQueries
    private var keepAlive: KeepAlive?
    private var pinged = PingedDelivery()
    /// Whether an acknowledgement is requested at the end of this turn of the loop.
    private var wantsCount = false
    private var answers = CountAnswers()
    private var isEnding = false
    /// Whether the server has shown that it reads what is sent on this connection.
    private(set) var isRead = false
    /// Whether reading is paused, and the continuation of the reader that waits for its end.
    private var isPaused = false
    private var reader: CheckedContinuation<Void, Never>?

    init(
        _ signedIn: SignInResult, management: StreamManagement?, clock: any Scheduler, timeouts: Timeouts,
        questions: IQTracker, archiveQueries: ArchiveQueries, listener: Listener
    ) {
        (stream, jid, self.management) = (signedIn.stream, signedIn.jid, management)
        (early, later, features) = (signedIn.early, signedIn.later, signedIn.features)
        (self.clock, self.timeouts, self.listener) = (clock, timeouts, listener)
        (self.questions, self.archiveQueries) = (questions, archiveQueries)
    }

    /// Starts reading, and sends again the stanzas that the server has not acknowledged.
    func start() {
        for stanza in management?.waiting ?? [] { stream.send(stanza) }
        if management?.waiting.isEmpty == false { askForCount() }
        keepAlive = KeepAlive(clock: clock, timeouts: timeouts) { [weak self] in
            self?.askForLife()
        } giveUp: { [weak self] in
            self?.stream.transport.abort(.silent(.online))
        }
        Task { await run() }
    }

    /// Counts stanzas that were sent on the stream before it had an address.
    func adopt(_ stanzas: [XMLElement]) {
        for stanza in stanzas { _ = management?.send(stanza) ?? pinged.send(stanza) }
        if waiting.isEmpty { acknowledge(stanzas) } else { askForCount() }
    }

    /// Sends a stanza; returns false if too many are unacknowledged.
    func send(_ stanza: XMLElement) -> Bool {
        guard management?.send(stanza) ?? pinged.send(stanza) else { return false }
        stream.send(stanza)
        if waiting.isEmpty { acknowledge([stanza]) } else { askForCount() }
        return true
    }

    /// Sends whether the user is active (XEP-0352), if the server supports that.
    func send(isActive: Bool) {
        guard features.hasClientState else { return }
        stream.send(XMLElement(isActive ? "active" : "inactive", Namespace.clientState))
    }

    func hurry() { keepAlive?.hurry() }

    /// Closes the stream, and aborts the connection if the server takes too long to close its side.
    func end() {
        guard !isEnding else { return }
        // The server's closing tag must be read.
        setPaused(false)
        isEnding = true
        if let management {
            // Acknowledge everything received: the server would treat the rest as lost (XEP-0198 section 7).
            let count = management.handled
            listener.settled { [stream] in
                stream.send(Self.answer(count))
                stream.sendEnd()
            }
        } else {
            stream.sendEnd()
        }
        // The session owns the timer, and the end of the transport releases both.
        endTimer = clock.schedule(after: timeouts.urgentPong) { [stream] in
            stream.transport.abort(.silent(.online))
        }
    }

    func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused, !isEnding else { return }
        self.isPaused = isPaused
        if isPaused {
            keepAlive?.stop()
        } else {
            keepAlive?.restart()
            reader?.resume()
            reader = nil
        }
    }

    private func mayRead() async {
        while isPaused { await withCheckedContinuation { reader = $0 } }
    }

    private var endTimer: (any ScheduledTimer)?

    private func run() async {
        for stanza in early { receive(stanza) }
        let reason: XMPPError
        do throws(XMPPError) {
            for item in later { try handle(item) }
            while true {
                await mayRead()
                try handle(try await stream.nextItem())
            }
        } catch {
            reason = error
        }
        endTimer?.cancel()
        keepAlive?.stop()
        listener.ended(self, reason)
    }

    private func handle(_ item: XMLStream.Item) throws(XMPPError) {
        switch item {
        case .element(let element): try handle(element)
        case .skipped(let head, let limit): skip(head, limit)
        }
    }

    private func handle(_ element: XMLElement) throws(XMPPError) {
        keepAlive?.heard()
        if let stanzas = pinged.handle(element, own: jid) {
            acknowledge(stanzas)
            // More stanzas may have been sent since that ping.
            ping()
        } else if element.namespace == Namespace.management {
            try handleCount(element)
        } else if StreamManagement.counts(element) {
            receive(element)
            // Count a stanza only after it is handled: the server sends it again if it was not.
            management?.handle()
        } else if StreamFeatures.isNamed(element) {
            // Some servers repeat them after a stream is resumed.
            features = StreamFeatures(element)
        }
    }

    /// Drops a stanza that exceeded a limit, and counts it, because the server would otherwise send it again each time.
    private func skip(_ head: XMLElement, _ limit: String) {
        keepAlive?.heard()
        if !isEnding { refuse(head, limit) }
        if StreamManagement.counts(head) { management?.handle() }
    }

    private func handleCount(_ element: XMLElement) throws(XMPPError) {
        switch element.name {
        case "r":
            answers.asked()
            answerCount()
        case "a":
            isRead = true
            do throws(XMPPError) {
                acknowledge(try management?.acknowledge(element["h"]) ?? [])
            } catch {
                throw stream.fail(error)
            }
        default: break
        }
    }

    private func acknowledge(_ stanzas: [XMLElement]) {
        // After a sign-out, all stanzas have already been reported as not delivered.
        if !isEnding, !stanzas.isEmpty { listener.acknowledged(stanzas) }
    }

    /// Sends our count, once everything that it includes is saved.
    ///
    /// Counts are sent one after another, whatever the order of the callbacks: a count must never decrease.
    private func answerCount() {
        guard !isEnding, let management, answers.begin() else { return }
        let count = management.handled
        listener.settled { [weak self] in
            guard let self, answers.end(), !isEnding else { return }
            stream.send(Self.answer(count))
            answerCount()
        }
    }

    private static func answer(_ count: UInt32) -> XMLElement {
        XMLElement("a", Namespace.management, ["h": "\(count)"])
    }

    /// Requests the server's count or, without stream management, a pong: once for everything that is sent in this turn
    /// of the loop.
    private func askForCount() {
        guard !wantsCount else { return }
        wantsCount = true
        Task {
            wantsCount = false
            if management != nil { stream.send(XMLElement("r", Namespace.management)) } else { ping() }
        }
    }

    private func askForLife() {
        guard management == nil else { return stream.send(XMLElement("r", Namespace.management)) }
        ping(isNeeded: true)
    }

    /// Pings the server if stanzas are unacknowledged or `isNeeded` is set, unless a ping is pending.
    private func ping(isNeeded: Bool = false) {
        guard !isEnding, isNeeded || !pinged.waiting.isEmpty, let ping = pinged.ping(to: jid.server) else {
            return
        }
        stream.send(ping)
    }
}

// MARK: - Stanzas

extension OnlineSession {
    private func receive(_ element: XMLElement) {
        guard !isEnding else { return }
        let stanza = InboundStanza(element, own: jid, info: listener.info())
        switch stanza {
        case .answered(let answer): _ = send(answer.element)
        case .roster(_, let answer), .blocking(_, let answer):
            _ = send(answer.element)
            listener.received(stanza)
        case .response(let iq):
            isRead = true
            if !questions.handle(iq, own: jid) { listener.received(.dropped("unrequested answer")) }
        case .archived(let result, let sender):
            if let reason = archiveQueries.handle(result, from: sender, own: jid) {
                listener.received(.dropped(reason))
            }
        case .message, .sentElsewhere, .presence, .published, .request, .dropped: listener.received(stanza)
        }
    }

    /// Refuses a request that exceeded a limit, and fails the request or query of ours that such a stanza answers.
    private func refuse(_ head: XMLElement, _ limit: String) {
        if let id = head["id"], id.utf8.count <= IQ.maximumIDLength, let addresses = Addresses(of: head),
            head.name == "iq"
        {
            switch head["type"] {
            case "get", "set":
                let error = StanzaError(.modify, "policy-violation")
                _ = send(IQ(.error, id: id, to: addresses.from, error: error).element)
            default: questions.fail(id, from: addresses.from, own: jid)
            }
        } else if let message = Message(head), let result = Archive.result(in: message) {
            archiveQueries.skip(result, from: message.from, own: jid)
        }
        listener.received(.dropped("\(limit) exceeds the limit"))
    }
}

/// The server's requests for our count, which are answered one at a time.
private struct CountAnswers {
    private var isAsked = false
    private var isPreparing = false

    mutating func asked() { isAsked = true }

    /// Starts a response; returns false if none is requested, or one is pending.
    mutating func begin() -> Bool {
        guard isAsked, !isPreparing else { return false }
        isAsked = false
        isPreparing = true
        return true
    }

    /// Ends the pending response; returns false if there was none.
    mutating func end() -> Bool {
        defer { isPreparing = false }
        return isPreparing
    }
}
