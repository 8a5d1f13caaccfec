// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A stream that makes an account, and never signs in (XEP-0077, XEP-0445).
///
/// Everything is sent under TLS, to a server whose certificate is verified as for a sign-in.
@MainActor
public final class ServerRegistration: AccountRegistration {
    private let request: RegistrationRequest
    private let account: XMPPAccount
    private let clock: any Scheduler
    private let lookup: any ServiceLookup
    private let timeouts: Timeouts
    private var attempt: ConnectionAttempt?
    private var stream: XMLStream?
    private var hasEnded = false

    /// Returns a registration on a server; nil if it is no domain.
    public convenience init?(_ request: RegistrationRequest, clock: any Scheduler) {
        self.init(request, clock: clock, lookup: SystemServiceLookup())
    }

    init?(
        _ request: RegistrationRequest, clock: any Scheduler, lookup: any ServiceLookup,
        timeouts: Timeouts = Timeouts(), trust: TrustAnchors = .system
    ) {
        let words = request.server.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let server = JID(String(words[0])), server.local.isEmpty, server.isBare else {
            return nil
        }
        var account = XMPPAccount(jid: server, password: "")
        (account.host, account.port) = (request.connection.host, request.connection.port)
        account.tls = TLSMode(rawValue: request.connection.security.rawValue) ?? .automatic
        (account.pinnedCertificate, account.trust) = (request.trustedCertificate, trust)
        (self.request, self.account, self.clock) = (request, account, clock)
        (self.lookup, self.timeouts) = (lookup, timeouts)
    }

    public func form() async throws(RegistrationError) -> RegistrationForm {
        do throws(Failure) {
            return try await requestForm()
        } catch {
            throw RegistrationError(error)
        }
    }

    public func register(_ form: RegistrationForm) async throws(RegistrationError) -> RegisteredAccount {
        var form = form
        guard let name = name(in: form), let address = JID(local: name, domain: account.jid.domain),
            !address.local.isEmpty
        else {
            throw RegistrationError(
                localized("This name can’t be part of an address. Use letters, digits, dots or hyphens."))
        }
        form[RegistrationForm.nameField] = address.local
        do throws(Failure) {
            try await send(form)
        } catch {
            throw RegistrationError(error)
        }
        end()
        var details = request.connection
        details.address = address.description
        return RegisteredAccount(
            details: details, password: form[RegistrationForm.passwordField] ?? "",
            trustedCertificate: request.trustedCertificate)
    }

    public func end() {
        hasEnded = true
        close(.lost("ended"))
    }

    /// The wanted name, also if it was typed as an address on the server.
    private func name(in form: RegistrationForm) -> String? {
        guard let text = form[RegistrationForm.nameField] else { return nil }
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text }
        return JID(text)?.domain == account.jid.domain ? String(parts[0]) : nil
    }
}

// MARK: - Stream

extension ServerRegistration {
    enum Failure: Error {
        case connection(XMPPError)
        /// The server does not accept the invitation.
        case invitation(StanzaError)
        /// The server has no form, or none that can be shown.
        case noForm(StanzaError?)
        case refused(StanzaError)
    }

    private func requestForm() async throws(Failure) -> RegistrationForm {
        close(.lost("started over"))
        let stream = try await open()
        do throws(AnswerError) {
            let query = try await ask(.get, RegistrationQuery.request, on: stream)
            guard let form = query.flatMap({ RegistrationForm($0) }) else { throw AnswerError.refused(nil) }
            return form
        } catch {
            switch error {
            case .connection(let error): throw .connection(error)
            case .refused(let error): throw .noForm(error)
            }
        }
    }

    /// Sends the form, on a new stream if the server has closed the one on which the user filled it in.
    private func send(_ form: RegistrationForm) async throws(Failure) {
        let query = RegistrationQuery.submission(form)
        for isLast in [false, true] {
            let stream: XMLStream
            if let present = self.stream { stream = present } else { stream = try await open() }
            do throws(AnswerError) {
                _ = try await ask(.set, query, on: stream)
                return
            } catch {
                switch error {
                case .refused(let error): throw .refused(error ?? StanzaError(.cancel, "undefined-condition"))
                case .connection(let error):
                    self.stream = nil
                    guard error.isCut, !isLast, !hasEnded else { throw .connection(error) }
                }
            }
        }
    }

    /// Opens a stream, and shows the invitation if the server takes any.
    private func open() async throws(Failure) -> XMLStream {
        guard !hasEnded else { throw .connection(.lost("ended")) }
        let attempt = ConnectionAttempt(
            account: account, resource: "", clock: clock, lookup: lookup, timeouts: timeouts,
            memory: SignInCache(), device: SignInDevice(id: ""), resumption: nil, settled: { $0() },
            acknowledged: { _ in })
        self.attempt = attempt
        let (stream, features): (XMLStream, StreamFeatures)
        do throws(XMPPError) {
            (stream, features) = try await attempt.open()
        } catch {
            throw .connection(error)
        }
        self.stream = stream
        guard !request.token.isEmpty, features.takesInvitations else { return stream }
        do throws(AnswerError) {
            _ = try await ask(.set, Preauthentication.element(request.token), on: stream)
        } catch {
            switch error {
            case .connection(let error): throw .connection(error)
            case .refused(let error): throw .invitation(error ?? StanzaError(.cancel, "undefined-condition"))
            }
        }
        return stream
    }

    private enum AnswerError: Error {
        case connection(XMPPError)
        case refused(StanzaError?)
    }

    /// Sends a request to the server, and returns the payload of its answer.
    private func ask(
        _ kind: IQ.Kind, _ payload: XMLElement, on stream: XMLStream
    ) async throws(AnswerError) -> XMLElement? {
        let id = RandomText.make(16)
        stream.send(IQ(kind, id: id, to: account.jid, payload).element)
        let timer = clock.schedule(after: timeouts.request) { stream.transport.abort(.silent(.signingIn)) }
        defer { timer.cancel() }
        let answer: IQ
        do throws(XMPPError) {
            answer = try await self.answer(to: id, on: stream)
        } catch {
            throw .connection(error)
        }
        guard answer.kind == .result else { throw .refused(answer.error) }
        return answer.payload
    }

    /// The greatest number of stanzas before an answer.
    private static let maximumStanzas = 100

    /// Returns the answer to a request, which counts only from the server itself.
    private func answer(to id: String, on stream: XMLStream) async throws(XMPPError) -> IQ {
        for _ in 0..<Self.maximumStanzas {
            guard let answer = IQ(try await stream.next()), answer.id == id,
                answer.kind == .result || answer.kind == .error,
                answer.from == nil || answer.from == account.jid
            else { continue }
            return answer
        }
        throw stream.fail(.notXMPP(localized("no reply within 100 stanzas")))
    }

    private func close(_ reason: XMPPError) {
        attempt?.abort(reason)
        (attempt, stream) = (nil, nil)
    }
}
