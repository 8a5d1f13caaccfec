// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

/// The servers that help the sound of calls to find its way, which the account’s server names before each call.
@MainActor
final class CallServers {
    /// The time for which a call waits for the answer.
    static let answerTime = Duration.seconds(2)
    /// The time for which an answer holds that names no end, and the longest one.
    static let shortTime = Duration.seconds(300), longestTime = Duration.seconds(3600)

    private let account: AccountContext
    private var known: (servers: [MediaServer], until: Duration)?
    private var question: Task<[MediaServer]?, Never>?

    init(of account: AccountContext) { self.account = account }

    func forget() { (known, question) = (nil, nil) }

    /// Returns the servers; none if the server does not answer in time.
    func servers() async -> [MediaServer] {
        if let known, known.until > account.clock.now { return known.servers }
        let task = question ?? Task { await ask() }
        question = task
        let servers = await task.value
        if question == task { question = nil }
        return servers ?? []
    }

    private func ask() async -> [MediaServer]? {
        let server = account.client.account.jid.server
        let answer = try? await account.client.request(
            .get, to: server, ExternalServices.request, limit: Self.answerTime)
        guard let element = answer ?? nil, element.isNamed("services", ExternalServices.namespace),
            server == account.client.account.jid.server
        else { return nil }
        let (servers, expiry) = ExternalServices.servers(in: element)
        var time = Self.shortTime
        if let expiry {
            time = .milliseconds(expiry.microseconds / 1000 - account.wall.now.milliseconds) - .seconds(30)
        }
        known = (servers, account.clock.now + min(max(time, .zero), Self.longestTime))
        return servers
    }
}
