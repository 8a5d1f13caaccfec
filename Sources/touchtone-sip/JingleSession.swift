// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages

/// The endpoint's side of one call with liblinphone: the far end, as far as the sound is concerned.
///
/// Nothing is repeated here, because no datagram between two sockets of one machine gets lost; liblinphone's repetitions are
/// answered again.
final class JingleSession {
    let id: SIPCallID
    let account: Account
    /// The user part of the addresses in the call, which nobody else knows.
    let token: String
    /// Whether liblinphone describes its sound first.
    let isOffer: Bool
    /// Whether the sound is encrypted: it always is in a call that the phone makes.
    var isEncrypted: Bool { account.settings.encryption == .required }
    /// Whether liblinphone has the call.
    var hasCall = false
    /// Whether the user has muted the call, before liblinphone has it.
    var isMuted = false
    /// Whether liblinphone has been answered, or has answered.
    private(set) var isAnswered = false
    /// The greatest time for a way to be found, from the answer on; nil before.
    private(set) var connectBy: Instant?
    /// Whether a way was found and the sound is encrypted.
    var isConnected = false
    /// The packets since then.
    var arrivals = Arrivals()
    /// The relay through which alone the sound may go, by its address in numbers; nil if it may take all ways.
    let relay: MediaServer?
    /// Whether nothing of the sound can go anywhere but to that relay.
    var isKept: Bool

    private let write: (String) -> Void
    /// The endpoint's port.
    private let port: UInt16
    /// liblinphone's port.
    private var otherPort: UInt16 = 0
    /// Receives the description of liblinphone's sound.
    var onDescribed: ((MediaDescription) -> Void)?
    /// Called if the relay has given no address.
    var onWithoutRelay: (() -> Void)?
    /// Receives the status with which liblinphone refused the call.
    var onRefused: ((Int) -> Void)?

    private var far: MediaDescription?
    /// The time at which the far end's addresses are told to liblinphone; nil if it knows them, or they are not known.
    private var tellAt: Instant?
    private var tellBy: Instant?
    private var firstCandidate: Instant?
    /// Candidates that came before the description.
    private var early: [MediaDescription.Candidate] = []
    /// The number of the candidates that liblinphone was told first, and those that came later, until they are taken.
    private var countTold = 0, late: [MediaDescription.Candidate] = []
    private var callID: String
    private let tag: String
    /// liblinphone's end of the call and the endpoint's, with their tags.
    private var otherEnd: String
    private var ownEnd: String
    /// liblinphone's first INVITE until it is answered, and the last answer to one.
    private var invite: LoopbackMessage?
    private var lastAnswer: (sequence: Int, text: String)?
    private var isDescribed = false
    /// The role of the far end in the handshake.
    private var role = MediaDescription.Role.client
    private var version = 1
    /// The number of the endpoint's last INVITE, and its branch while it is under way.
    private var sequence = 0
    private var branch: String?
    /// Whether the far end holds the call, and whether liblinphone has been told so.
    private var isHeld = false, isToldHeld = false
    private var holdAt: Instant?

    /// The time after the first candidate in which others may come before they are told, and the time after which they are told
    /// without any, in milliseconds.
    private static let candidateTime = 50, longestTime = 2_000
    /// The greatest time from the answer to a connection, in milliseconds.
    private static let connectionTime = 30_000
    private static let glareTime = 500

    init(
        id: SIPCallID, account: Account, token: String, isOffer: Bool, tag: String, port: UInt16,
        relay: MediaServer?, write: @escaping (String) -> Void
    ) {
        (self.id, self.account, self.token, self.isOffer) = (id, account, token, isOffer)
        (self.tag, self.port, self.write) = (tag, port, write)
        (self.relay, isKept) = (relay, relay == nil)
        callID = isOffer ? "" : tag
        otherEnd = "<\(account.settings.address)>"
        ownEnd = "<sip:\(token)@\(Account.loopbackDomain)>;tag=\(tag)"
    }

    // MARK: - The far end

    /// Takes the far end's description; only the first counts.
    ///
    /// Returns false if no sound is possible with it.
    func take(_ media: MediaDescription) -> Bool {
        guard far == nil else { return true }
        guard SessionDescription.isUsable(media), media.isEncrypted == isEncrypted else { return false }
        var media = media
        media.add(early)
        early = []
        // Gateways say “either” in an answer, and begin.
        role = isOffer ? media.role == .either ? .client : media.role : .either
        far = media
        tellBy = Instant.now.advanced(by: Self.longestTime)
        if !media.candidates.isEmpty, firstCandidate == nil { firstCandidate = .now }
        schedule()
        return true
    }

    /// Adds addresses that the far end has told later.
    func add(_ candidates: [MediaDescription.Candidate]) {
        firstCandidate = firstCandidate ?? .now
        guard let known = far?.candidates.count else {
            early = Array((early + candidates).prefix(MediaDescription.maximumCandidates))
            return
        }
        far?.add(candidates)
        if tellAt != nil {
            schedule()
        } else {
            late += far?.candidates.dropFirst(known).filter(SessionDescription.isTold) ?? []
        }
    }

    /// Whether addresses came after liblinphone was told the first.
    var hasLateCandidates: Bool { !late.isEmpty }

    /// Returns the addresses that came after liblinphone was told the first, once.
    func takeLateCandidates() -> [MediaDescription.Candidate] {
        defer { late = [] }
        return late
    }

    func setHeld(_ isHeld: Bool) { self.isHeld = isHeld }

    private var contact: String { "<sip:\(token)@127.0.0.1:\(port)>" }

    private func schedule() {
        guard let limit = tellBy else { return }
        tellAt = firstCandidate.map { min($0.advanced(by: Self.candidateTime), limit) } ?? limit
    }

    /// Whether the endpoint waits for liblinphone's answer to its first INVITE.
    var isInviting: Bool { branch != nil && !isAnswered && !hasCall }

    /// Does what is due.
    ///
    /// - Parameter port: liblinphone's port.
    func goOn(port: UInt16) {
        let now = Instant.now
        otherPort = port
        // liblinphone sends checks to the far end's addresses as soon as it has them.
        if let time = tellAt, time <= now, isOffer ? invite != nil && isKept : true {
            tellAt = nil
            countTold = far?.candidates.count ?? 0
            if isOffer { answer() } else { sendInvite(.both) }
        }
        if isAnswered, isHeld != isToldHeld, branch == nil, holdAt.map({ $0 <= now }) ?? true {
            isToldHeld = isHeld
            sendInvite(SessionDescription.Direction(sends: true, receives: !isHeld))
        }
    }

    private func text(_ role: MediaDescription.Role, _ direction: SessionDescription.Direction) -> String {
        defer { version += 1 }
        return far.map {
            SessionDescription.text($0, role: role, direction, version: version, countTold: countTold)
        } ?? ""
    }

    // MARK: - Requests of liblinphone

    func receive(_ request: LoopbackMessage) {
        switch request.method {
        case "INVITE": receiveInvite(request)
        case "UPDATE": respond(to: request, 200, session: request.body.isEmpty ? "" : mirrored(request))
        case "ACK": break
        case "CANCEL":
            respond(to: request, 200)
            if let invite { respond(to: invite, 487) }
            invite = nil
        case "BYE":
            respond(to: request, 200)
        default: respond(to: request, 501)
        }
    }

    private func receiveInvite(_ request: LoopbackMessage) {
        let number = request.sequence.number
        if let last = lastAnswer, last.sequence == number { return write(last.text) }
        guard isAnswered else {
            guard isOffer, invite == nil else { return }
            respond(to: request, 100)
            (callID, otherEnd) = (request.field("call-id"), request.field("from"))
            ownEnd = "\(request.field("to"));tag=\(tag)"
            guard let media = SessionDescription.media(of: request.body, isEncrypted: isEncrypted) else {
                return respond(to: request, 488)
            }
            invite = request
            describe(media)
            return
        }
        // liblinphone repeats its request later (RFC 3261, section 14.1).
        guard branch == nil else { return respond(to: request, 491) }
        let text = response(to: request, 200, session: mirrored(request))
        lastAnswer = (number, text)
        write(text)
    }

    /// Answers liblinphone's offer with the far end's description.
    private func answer() {
        guard let invite else { return }
        let text = response(to: invite, 200, session: text(role, .both))
        lastAnswer = (invite.sequence.number, text)
        self.invite = nil
        begin()
        write(text)
    }

    private func begin() {
        isAnswered = true
        connectBy = Instant.now.advanced(by: Self.connectionTime)
    }

    /// Returns the far end's description in answer to another offer of liblinphone's, which the far end never sees.
    private func mirrored(_ request: LoopbackMessage) -> String {
        let offered = SessionDescription.direction(of: request.body)
        return text(
            role,
            SessionDescription.Direction(
                sends: offered.isReceiving, receives: offered.isSending && !isToldHeld))
    }

    private func describe(_ media: MediaDescription) {
        guard !isDescribed else { return }
        isDescribed = true
        let told = relay == nil ? media : media.only(.relay)
        if relay != nil, told.candidates.isEmpty { onWithoutRelay?() } else { onDescribed?(told) }
    }

    private func response(to request: LoopbackMessage, _ status: Int, session: String = "") -> String {
        request.response(status, tag: tag, contact: contact, session: session)
    }

    private func respond(to request: LoopbackMessage, _ status: Int, session: String = "") {
        write(response(to: request, status, session: session))
    }

    // MARK: - Requests of the endpoint

    private func sendInvite(_ direction: SessionDescription.Direction) {
        sequence += 1
        let branch = "z9hG4bK\(tag)-\(sequence)"
        self.branch = branch
        // To another role than “either”, liblinphone answers without any.
        send("INVITE", branch: branch, session: text(.either, direction))
    }

    private func send(_ method: String, branch: String, session: String = "") {
        write(
            LoopbackMessage.text(
                "\(method) sip:\(token)@127.0.0.1:\(otherPort) SIP/2.0",
                [
                    ("Via", "SIP/2.0/UDP 127.0.0.1:\(port);branch=\(branch)"), ("Max-Forwards", "70"),
                    ("From", ownEnd), ("To", otherEnd), ("Call-ID", callID),
                    ("CSeq", "\(sequence) \(method)"),
                    ("Contact", contact),
                ], session: session))
    }

    /// Takes a response to the endpoint's INVITE, also a repeated one.
    func receive(response: LoopbackMessage) {
        guard let status = response.status, status >= 200, response.sequence == (sequence, "INVITE") else {
            return
        }
        let isFirst = branch != nil
        let usedBranch = "z9hG4bK\(tag)-\(sequence)"
        branch = nil
        if status < 300 || !isAnswered { otherEnd = response.field("to") }
        send("ACK", branch: status < 300 ? usedBranch + "a" : usedBranch)
        guard isFirst else { return }
        if isAnswered {
            // Both have begun something at once: again, later (RFC 3261, section 14.1).
            guard status == 491 else { return }
            isToldHeld.toggle()
            holdAt = Instant.now.advanced(by: Self.glareTime)
        } else if status < 300,
            let media = SessionDescription.media(of: response.body, isEncrypted: isEncrypted)
        {
            role = media.role == .client ? .server : .client
            begin()
            describe(media)
        } else {
            onRefused?(status)
        }
    }

    /// Whether a message is of this call.
    func isOf(_ message: LoopbackMessage) -> Bool {
        message.field("call-id") == callID || callID.isEmpty && message.calledUser == token
    }
}
