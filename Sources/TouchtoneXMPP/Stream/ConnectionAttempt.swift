// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

struct Timeouts: Sendable {
    /// The timeout for DNS, and for connecting to each server.
    var connect = Duration.seconds(15)
    /// The timeout for the whole of TLS, authentication and resource binding.
    var signIn = Duration.seconds(30)
    /// The time without a stanza after which the server is pinged.
    var idle = Duration.seconds(120)
    /// The timeout for the response to that ping.
    var pong = Duration.seconds(30)
    /// The timeout for the response to a ping after a change of network, and for closing a stream.
    var urgentPong = Duration.seconds(5)
    var request = Duration.seconds(60)
}

/// One attempt to sign in, at each of the domain's servers in turn.
@MainActor
final class ConnectionAttempt {
    let account: XMPPAccount
    let resource: String
    let clock: any Scheduler
    let lookup: any ServiceLookup
    let timeouts: Timeouts
    let memory: SignInCache
    let device: SignInDevice
    let resumption: Resumption?
    let opened: @MainActor (StreamOpening) -> Void
    let settled: @MainActor (@escaping @MainActor () -> Void) -> Void
    let acknowledged: @MainActor ([XMLElement]) -> Void

    private var transport: Transport?
    private var ended: XMPPError?

    init(
        account: XMPPAccount, resource: String, clock: any Scheduler, lookup: any ServiceLookup,
        timeouts: Timeouts, memory: SignInCache, device: SignInDevice, resumption: Resumption?,
        opened: @escaping @MainActor (StreamOpening) -> Void = { _ in },
        settled: @escaping @MainActor (@escaping @MainActor () -> Void) -> Void,
        acknowledged: @escaping @MainActor ([XMLElement]) -> Void
    ) {
        (self.account, self.resource, self.clock) = (account, resource, clock)
        (self.lookup, self.timeouts, self.memory, self.device) = (lookup, timeouts, memory, device)
        (self.resumption, self.opened) = (resumption, opened)
        (self.settled, self.acknowledged) = (settled, acknowledged)
    }

    /// Connects and signs in at the first server that allows it.
    func run() async throws(XMPPError) -> SignInResult {
        try await settle()
        return try await atFirstServer { (endpoint) throws(XMPPError) in try await self.signIn(at: endpoint) }
    }

    /// Connects to the first server that allows it, and opens a stream under TLS without signing in.
    func open() async throws(XMPPError) -> (stream: XMLStream, features: StreamFeatures) {
        try await atFirstServer { (endpoint) throws(XMPPError) in
            try await self.connect(to: endpoint) { (steps) throws(XMPPError) in
                try await steps.secure(isDirectTLS: endpoint.isDirectTLS)
                return (steps.stream, try await steps.stream.open(limits: .beforeSignIn))
            }
        }
    }

    /// Returns the value of the first server that has one.
    private func atFirstServer<Value>(
        _ attempt: @MainActor (Endpoint) async throws(XMPPError) -> Value
    ) async throws(XMPPError) -> Value {
        var first: XMPPError?
        for endpoint in try await endpoints() {
            if let ended { throw ended }
            do throws(XMPPError) {
                return try await attempt(endpoint)
            } catch {
                guard error.isOfThisServer, ended == nil else { throw error }
                // An error from a server that responds says more than that a different server is unreachable.
                if case .unreachable? = first { first = error }
                first = first ?? error
            }
        }
        throw ended ?? first ?? .noService(domain: account.jid.domain)
    }

    func abort(_ reason: XMPPError) {
        ended = reason
        transport?.abort(reason)
    }

    /// Signs in at a server, and once more after each failure that teaches what to do otherwise.
    private func signIn(at endpoint: Endpoint) async throws(XMPPError) -> SignInResult {
        while true {
            let lessons = memory.lessons
            do throws(XMPPError) {
                return try await connect(to: endpoint) { (steps) throws(XMPPError) in
                    try await steps.run(isDirectTLS: endpoint.isDirectTLS)
                }
            } catch {
                if case .signIn(.bindingRefused(_?, _)) = error { memory.refuseBinding(of: account) }
                guard memory.lessons > lessons, ended == nil else { throw error }
            }
        }
    }

    private func connect<Value>(
        to endpoint: Endpoint, then continued: @MainActor (SignIn) async throws(XMPPError) -> Value
    ) async throws(XMPPError) -> Value {
        let transport = Transport()
        self.transport = transport
        var timer = clock.schedule(after: timeouts.connect) { transport.abort(.silent(.connecting)) }
        defer { timer.cancel() }
        try await transport.connect(to: endpoint)
        timer.cancel()
        timer = clock.schedule(after: timeouts.signIn) { transport.abort(.silent(.signingIn)) }
        let stream = XMLStream(transport, domain: account.jid.domain)
        let steps = SignIn(
            account: account, resource: resource, stream: stream, memory: memory, device: device,
            resumption: resumption,
            opened: { [weak self] in if let self, ended == nil { opened($0) } },
            // After the attempt is cancelled, the pending stanzas have already been reported as not delivered.
            acknowledged: { [weak self] in if let self, ended == nil { acknowledged($0) } })
        return try await continued(steps)
    }

    /// Waits until everything received so far is saved: the request to resume acknowledges it.
    private func settle() async throws(XMPPError) {
        guard resumption != nil else { return }
        let isSettled = await answer(within: timeouts.signIn) { answered in settled { answered(true) } }
        guard isSettled == true else {
            throw ended ?? .lost(localized("earlier messages could not be saved in time"))
        }
    }

    private func endpoints() async throws(XMPPError) -> [Endpoint] {
        guard account.host.isEmpty else {
            return ServerOrder.endpoints(host: account.host, port: account.port, mode: account.tls)
        }
        var random = SystemRandomNumberGenerator()
        let records = await records(of: account.jid.domain)
        if let ended { throw ended }
        return try ServerOrder.endpoints(
            of: account.jid.domain, records: records, mode: account.tls, using: &random)
    }

    private func records(of domain: String) async -> [ServiceRecord]? {
        let records = await answer(within: timeouts.connect) { answered in
            Task { answered(await lookup.records(of: domain)) }
        }
        return records.flatMap { $0 }
    }

    /// Waits for the result of a callback; returns nil after the timeout.
    private func answer<Answer: Sendable>(
        within time: Duration, _ ask: (@escaping @MainActor (Answer) -> Void) -> Void
    ) async -> Answer? {
        await withCheckedContinuation { continuation in
            var isAnswered = false
            var timer: (any ScheduledTimer)?
            let end = { (answer: Answer?) in
                guard !isAnswered else { return }
                isAnswered = true
                timer?.cancel()
                // Its closure has this one, which has the timer.
                timer = nil
                continuation.resume(returning: answer)
            }
            timer = clock.schedule(after: time) { end(nil) }
            ask { end($0) }
        }
    }
}
