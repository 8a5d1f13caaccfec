// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Why a question got no answer that could be used.
public enum RequestError: Error, Hashable, Sendable {
    /// There is no connection, or it ended before the answer came.
    case disconnected
    /// Nobody answered in time.
    case timeout
    /// The one who was asked says that it came to nothing.
    case refused(StanzaError)
    /// The answer makes no sense.
    case implausible
}

/// The questions that wait for their answers.
///
/// An answer counts only from the entity that was asked (RFC 6120 section 8.1.2.1); its name can't be guessed either.
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

    /// Notes a question; `answered` is called once.
    func add(
        id: String, to: JID?, limit: Duration, answered: @escaping @MainActor (Answer) -> Void
    ) {
        let timer = clock.schedule(after: limit) { [weak self] in self?.end(id, .failure(.timeout)) }
        questions[id] = PendingRequest(to: to, timer: timer, answered: answered)
    }

    /// Takes an answer; false if it is to no question of ours, or from another than who was asked.
    ///
    /// - Parameter own: the address of this device.
    func take(_ answer: IQ, own: JID) -> Bool {
        guard let question = questions[answer.id], Self.mayAnswer(answer.from, for: question.to, own: own)
        else { return false }
        end(answer.id, answer.error.map { .failure(.refused($0)) } ?? .success(answer.payload))
        return true
    }

    /// Takes an answer that can't be read.
    ///
    /// - Parameter own: the address of this device.
    func fail(_ id: String, from: JID?, own: JID) {
        guard let question = questions[id], Self.mayAnswer(from, for: question.to, own: own) else { return }
        end(id, .failure(.implausible))
    }

    /// Ends all questions: the stream that they were asked on is gone.
    func endAll() {
        for id in Array(questions.keys) { end(id, .failure(.disconnected)) }
    }

    /// Whether an answer from `from` is one to a question to `to`.
    ///
    /// The own account is answered for by its server, which need not say so: it is nil, the bare or the full address.
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
