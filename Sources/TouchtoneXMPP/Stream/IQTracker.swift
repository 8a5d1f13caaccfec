// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The reason why a request has no usable response.
enum RequestError: Error, Hashable, Sendable {
    /// There is no connection, or it ended before the response arrived.
    case disconnected
    case timeout
    case refused(StanzaError)
    /// The response is invalid.
    case implausible
}

/// The requests that wait for responses, which count only from the recipient (RFC 6120 section 8.1.2.1).
@MainActor
final class IQTracker {
    typealias Answer = Result<XMLElement?, RequestError>

    private struct PendingRequest {
        let to: JID?
        let timer: any ScheduledTimer
        let answered: @MainActor (Answer) -> Void
    }

    private var questions: [String: PendingRequest] = [:]
    private let clock: any Scheduler

    init(clock: any Scheduler) { self.clock = clock }

    /// Registers a request; `answered` is called once.
    func add(id: String, to: JID?, limit: Duration, answered: @escaping @MainActor (Answer) -> Void) {
        let timer = clock.schedule(after: limit) { [weak self] in self?.end(id, .failure(.timeout)) }
        questions[id] = PendingRequest(to: to, timer: timer, answered: answered)
    }

    /// Handles a response; returns false if it matches no request, or its sender is not the recipient of the request.
    func handle(_ answer: IQ, own: JID) -> Bool {
        guard let question = questions[answer.id], Self.mayAnswer(answer.from, for: question.to, own: own)
        else { return false }
        end(answer.id, answer.error.map { .failure(.refused($0)) } ?? .success(answer.payload))
        return true
    }

    /// Handles a response that cannot be parsed.
    func fail(_ id: String, from: JID?, own: JID) {
        guard let question = questions[id], Self.mayAnswer(from, for: question.to, own: own) else { return }
        end(id, .failure(.implausible))
    }

    func endAll() {
        for id in Array(questions.keys) { end(id, .failure(.disconnected)) }
    }

    /// Returns whether a sender may answer: the own server does so as nobody, the bare or the full address.
    nonisolated static func mayAnswer(_ from: JID?, for to: JID?, own: JID) -> Bool {
        let isOwn = { (jid: JID?) in jid == nil || jid == own.bare || jid == own }
        return from == to || isOwn(to) && isOwn(from)
    }

    private func end(_ id: String, _ answer: Answer) {
        guard let question = questions.removeValue(forKey: id) else { return }
        question.timer.cancel()
        question.answered(answer)
    }
}
