// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A stream while it is up: reads, counts, and watches that the server lives.
@MainActor
final class OnlineSession {
    /// The address of this device.
    let jid: JID
    /// The counts; nil if the server keeps none.
    private(set) var management: StreamManagement?
    /// Our stanzas of which it is not known that the server has them, the oldest first.
    var waiting: [XMLElement] { management?.waiting ?? pinged.waiting }

    /// What the session tells of.
    struct Listener {
        /// A stanza came.
        let stanza: @MainActor (XMLElement) -> Void
        /// A stanza came that passes a limit: its beginning, and the limit.
        let skipped: @MainActor (XMLElement, String) -> Void
        /// The server has these stanzas of ours.
        let acknowledged: @MainActor ([XMLElement]) -> Void
        /// Calls back when the server may be told that we have all that came so far.
        let settled: @MainActor (@escaping @MainActor () -> Void) -> Void
        /// It is over; called once.
        let ended: @MainActor (XMPPError) -> Void
    }

    private let stream: XMLStream
    private let early: [XMLElement]
    let features: StreamFeatures
    private let listener: Listener
    private let clock: any Scheduler
    private let timeouts: Timeouts
    private var keepAlive: KeepAlive?
    private var pinged = PingedDelivery()
    /// Whether the server is asked at the end of this turn of the loop.
    private var wantsCount = false
    private var answers = CountAnswers()
    private var isEnding = false
    /// Whether nothing is read for now, and who waits to go on with it.
    private var isPaused = false
    private var reader: CheckedContinuation<Void, Never>?

    init(
        _ signedIn: SignInResult, management: StreamManagement?, clock: any Scheduler, timeouts: Timeouts,
        listener: Listener
    ) {
        stream = signedIn.stream
        jid = signedIn.jid
        self.management = management
        early = signedIn.early
        features = signedIn.features
        self.clock = clock
        self.timeouts = timeouts
        self.listener = listener
    }

    /// Begins to read; stanzas of ours that the server has not are sent again.
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

    /// Sends a stanza; false if too many wait for the server's word.
    func send(_ stanza: XMLElement) -> Bool {
        if management != nil {
            guard management?.send(stanza) == true else { return false }
        } else {
            guard pinged.send(stanza) else { return false }
        }
        stream.send(stanza)
        if waiting.isEmpty { listener.acknowledged([stanza]) } else { askForCount() }
        return true
    }

    /// Tells whether somebody is looking (XEP-0352), if the server wants to know.
    func send(isActive: Bool) {
        guard features.hasClientState else { return }
        stream.send(XMLElement(isActive ? "active" : "inactive", Namespace.clientState))
    }

    /// Asks at once for a sign of life.
    func hurry() { keepAlive?.hurry() }

    /// Ends the stream in good order, or without it if the server takes too long.
    func end() {
        guard !isEnding else { return }
        // The server's own end has to be read.
        setPaused(false)
        isEnding = true
        if let management {
            // The last word on what we have: the server would take the rest for lost (section 7).
            let count = management.handled
            listener.settled { [stream] in
                stream.send(Self.answer(count))
                stream.sendEnd()
            }
        } else {
            stream.sendEnd()
        }
        // The session holds on to the timer, and the transport's end drops both.
        endTimer = clock.schedule(after: timeouts.urgentPong) { [stream] in
            stream.transport.abort(.silent(.online))
        }
    }

    /// Reads nothing more, or goes on with it.
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

    /// Waits until it may be read.
    private func mayRead() async {
        while isPaused { await withCheckedContinuation { reader = $0 } }
    }

    private var endTimer: (any ScheduledTimer)?

    private func run() async {
        for stanza in early { listener.stanza(stanza) }
        let reason: XMPPError
        do throws(XMPPError) {
            while true {
                await mayRead()
                switch try await stream.nextItem() {
                case .element(let element): try handle(element)
                case .skipped(let head, let limit): skip(head, limit)
                }
            }
        } catch {
            reason = error
        }
        endTimer?.cancel()
        keepAlive?.stop()
        listener.ended(reason)
    }

    private func handle(_ element: XMLElement) throws(XMPPError) {
        keepAlive?.heard()
        if let stanzas = pinged.take(element, own: jid) {
            if !stanzas.isEmpty { listener.acknowledged(stanzas) }
            // More may have been sent meanwhile.
            ping()
        } else if element.namespace == Namespace.management {
            try handleCount(element)
        } else if StreamManagement.counts(element) {
            listener.stanza(element)
            // Counted when it was dealt with: one that is not gets sent again.
            management?.handle()
        }
    }

    /// Counts what is dropped, too, or the server would send it again for ever.
    private func skip(_ head: XMLElement, _ limit: String) {
        keepAlive?.heard()
        listener.skipped(head, limit)
        if StreamManagement.counts(head) { management?.handle() }
    }

    private func handleCount(_ element: XMLElement) throws(XMPPError) {
        switch element.name {
        case "r":
            answers.asked()
            answerCount()
        case "a":
            do throws(XMPPError) {
                let stanzas = try management?.acknowledge(element["h"]) ?? []
                if !stanzas.isEmpty { listener.acknowledged(stanzas) }
            } catch {
                throw stream.fail(error)
            }
        default: break
        }
    }

    /// Tells our count, once what is counted has been dealt with for good.
    ///
    /// One after another, whatever the callbacks do: a count may never fall.
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

    /// Asks the server for its count or, if it keeps none, for an answer: once for all that is sent in this turn of the
    /// loop.
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

    /// Pings the server if stanzas wait for it, or in any case; unless the last ping has no answer yet.
    private func ping(isNeeded: Bool = false) {
        guard !isEnding, isNeeded || !pinged.waiting.isEmpty, let ping = pinged.ping(to: jid.server) else {
            return
        }
        stream.send(ping)
    }
}

/// The server's questions for our count, of which one answer at a time is prepared.
private struct CountAnswers {
    private var isAsked = false
    private var isPreparing = false

    mutating func asked() { isAsked = true }

    /// Whether an answer is to be prepared now.
    mutating func begin() -> Bool {
        guard isAsked, !isPreparing else { return false }
        isAsked = false
        isPreparing = true
        return true
    }

    /// Whether an answer was being prepared; it is no more.
    mutating func end() -> Bool {
        defer { isPreparing = false }
        return isPreparing
    }
}
