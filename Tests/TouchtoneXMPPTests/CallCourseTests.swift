// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the course of a call as a value.
@Suite struct CallCourseTests {
    fileprivate static let phone = JID("ada@example.org/phone") ?? .none
    private let phone = Self.phone
    private let tablet = JID("ada@example.org/tablet") ?? .none
    private let media: MediaDescription

    init() throws { media = try .example() }

    // MARK: - Calling

    @Test func answeredCall() {
        var (course, effects) = CallCourse.calling(isGateway: false)
        #expect(
            effects == [.tellParty(.propose(media: ["audio"])), .start(.ringing), .start(.ringback)])
        #expect(course.handle(.received(.ringing, from: phone)) == [.stop(.ringback), .report(.ringing)])
        #expect(course.handle(.received(.ringing, from: tablet)) == [])
        #expect(
            course.handle(.received(.proceed, from: phone))
                == [.stop(.ringing), .start(.acceptance), .prepare(nil)])
        #expect(course.handle(.prepared(media)) == [.sendOffer(media, to: phone)])
        #expect(
            course.handle(.answer(media, from: phone)) == [
                .stop(.acceptance), .stop(.ringing), .start(.connection), .connect(media), .report(.answered),
            ])
        #expect(course.handle(.mediaConnected) == [.stop(.connection)])
        #expect(course.handle(.held(true, by: phone)) == [.report(.heldByFarEnd(true))])
        effects = course.handle(.hungUp)
        #expect(effects.prefix(2) == [.terminate(.success, phone), .tell(.finish(.success), phone)])
        #expect(course.state == .ended)
    }

    /// An offer with encryption is answered with it, whatever the user allows to callers.
    @Test func answerWithoutEncryptionEndsTheCall() throws {
        let plain = try MediaDescription.example(isEncrypted: false)
        var (course, _) = CallCourse.calling(isGateway: false)
        _ = course.handle(.received(.proceed, from: phone))
        _ = course.handle(.prepared(media))
        let effects = course.handle(.answer(plain, from: phone))
        #expect(effects.prefix(2) == [.terminate(.securityError, phone), .report(.ended(.notEncrypted))])
        #expect(course.state == .ended && !course.isPlain)
    }

    @Test func offerOfTheEngineWithoutEncryptionIsNotSent() throws {
        var (course, _) = CallCourse.calling(isGateway: false)
        _ = course.handle(.received(.proceed, from: phone))
        let effects = course.handle(.prepared(try .example(isEncrypted: false)))
        #expect(effects.prefix(2) == [.tell(.finish(.securityError), phone), .report(.ended(.notEncrypted))])
    }

    /// A proposal does not tell whether the call is encrypted: the user would have answered without knowing.
    @Test func proposedCallIsNotOfferedWithoutEncryption() throws {
        var (course, _) = CallCourse.called(by: phone, tellsRinging: true)
        _ = course.handle(.answered)
        let effects = course.handle(.offer(try .example(isEncrypted: false), from: phone))
        #expect(effects.prefix(2) == [.terminate(.securityError, phone), .report(.ended(.notEncrypted))])
    }

    /// An answer is encrypted exactly if the offer is.
    @Test(arguments: [true, false], [true, false])
    func answerIsEncryptedAsTheOfferIs(isOffered: Bool, isAnswered: Bool) throws {
        let offer = try MediaDescription.example(isEncrypted: isOffered)
        let answer = try MediaDescription.example(role: .client, isEncrypted: isAnswered)
        var (course, _) = CallCourse.called(by: phone, offer: offer, tellsRinging: true)
        #expect(course.isPlain == !isOffered)
        #expect(course.handle(.answered) == [.stop(.ringing), .start(.connection), .prepare(offer)])
        let effects = course.handle(.prepared(answer))
        if isOffered == isAnswered {
            #expect(effects == [.sendAnswer(answer, to: phone), .report(.answered)])
        } else {
            #expect(
                effects.prefix(2) == [.terminate(.securityError, phone), .report(.ended(.notEncrypted))])
        }
    }

    /// A server that loses the other device’s stream sends back what the device has taken.
    @Test func refusalThatComesAfterTheSoundIsIgnored() {
        for isConnected in [true, false] {
            var (course, _) = CallCourse.calling(isGateway: false)
            _ = course.handle(.received(.proceed, from: phone))
            _ = course.handle(.prepared(media))
            _ = course.handle(.answer(media, from: phone))
            if isConnected { _ = course.handle(.mediaConnected) }
            let effects = course.handle(.refused(by: phone))
            #expect(effects.contains(.report(.ended(.notAvailable))) == !isConnected)
        }
    }

    /// Whether the sound came decides what its loss is called.
    @Test func lostConnectionIsToldFromNone() {
        for (isConnected, reason) in [(true, CallEndReason.connectionLost), (false, .network)] {
            for event in [
                CallCourse.Event.mediaFailed(.network), .terminated(.connectivityError, by: phone),
            ] {
                var (course, _) = CallCourse.calling(isGateway: false)
                _ = course.handle(.received(.proceed, from: phone))
                _ = course.handle(.prepared(media))
                _ = course.handle(.answer(media, from: phone))
                if isConnected { _ = course.handle(.mediaConnected) }
                #expect(course.handle(event).contains(.report(.ended(reason))))
            }
        }
    }

    /// Dino says neither that it rings nor why it declines.
    @Test func ringbackBeginsAfterReceiptOrTime() {
        for event in [CallCourse.Event.delivered, .expired(.ringback)] {
            var (course, _) = CallCourse.calling(isGateway: false)
            #expect(course.handle(event).contains(.report(.ringing)))
            #expect(course.handle(.received(.reject(nil), from: phone)).first == .report(.ended(.declined)))
        }
    }

    @Test(arguments: [
        (CallCourse.Event.received(.reject(.busy), from: CallCourseTests.phone), CallEndReason.busy),
        (.received(.reject(.decline), from: CallCourseTests.phone), .declined),
        (.undeliverable, .notAvailable), (.expired(.ringing), .noAnswer),
    ])
    func callIsNotAnswered(_ event: CallCourse.Event, _ reason: CallEndReason) {
        var (course, _) = CallCourse.calling(isGateway: false)
        #expect(course.handle(event).contains(.report(.ended(reason))))
    }

    @Test func deviceThatTakesTheCallTooLateIsTold() {
        var (course, _) = CallCourse.calling(isGateway: false)
        #expect(course.handle(.hungUp).first == .tellParty(.retract(.cancel)))
        #expect(course.handle(.received(.proceed, from: phone)) == [.tell(.retract(.cancel), phone)])
    }

    @Test func secondDeviceIsTold() {
        var (course, _) = CallCourse.calling(isGateway: false)
        _ = course.handle(.received(.proceed, from: phone))
        #expect(course.handle(.received(.proceed, from: phone)) == [])
        #expect(course.handle(.received(.proceed, from: tablet)) == [.tell(.retract(.cancel), tablet)])
        #expect(course.handle(.received(.reject(.busy), from: tablet)) == [])
        _ = course.handle(.prepared(media))
        #expect(course.handle(.answer(media, from: tablet)) == [])
        #expect(course.handle(.terminated(.success, by: tablet)) == [])
    }

    /// A gateway takes each call at once; the telephone rings later.
    @Test func gatewayIsNotAnAnswer() {
        var (course, _) = CallCourse.calling(isGateway: true)
        #expect(course.handle(.received(.proceed, from: phone)) == [.prepare(nil)])
        #expect(course.handle(.prepared(media)) == [.sendOffer(media, to: phone)])
        #expect(course.handle(.rings(phone)).contains(.report(.ringing)))
        #expect(course.handle(.answer(media, from: phone)).contains(.report(.answered)))
    }

    // MARK: - Called

    @Test func answeredIncomingCall() {
        var (course, effects) = CallCourse.called(by: phone, tellsRinging: true)
        #expect(effects == [.tell(.ringing, phone), .start(.ringing)])
        #expect(
            course.handle(.answered)
                == [.stop(.ringing), .tellOwn(.accept), .tell(.proceed, phone), .start(.offer)])
        #expect(course.handle(.offer(media, from: tablet)) == [])
        #expect(
            course.handle(.offer(media, from: phone)) == [
                .stop(.offer), .start(.connection), .prepare(media),
            ]
        )
        #expect(
            course.handle(.prepared(media)) == [.sendAnswer(media, to: phone), .report(.answered)])
        #expect(course.handle(.mediaConnected) == [.stop(.connection)])
        #expect(course.handle(.terminated(.success, by: phone)).first == .report(.ended(.farEnd)))
    }

    @Test func strangerLearnsNothingBeforeTheAnswer() {
        let (_, effects) = CallCourse.called(by: phone, tellsRinging: false)
        #expect(effects == [.start(.ringing)])
    }

    @Test(arguments: [
        (CallMessage.Content.accept, CallEndReason.answeredElsewhere), (.proceed, .answeredElsewhere),
        (.reject(.decline), .declined),
    ])
    func otherDeviceOfTheUserTakesTheCall(_ message: CallMessage.Content, _ reason: CallEndReason) {
        var (course, _) = CallCourse.called(by: phone, tellsRinging: true)
        #expect(course.handle(.sentElsewhere(message)).first == .report(.ended(reason)))
    }

    @Test func declinedCallIsToldToCallerAndOwnDevices() {
        var (course, _) = CallCourse.called(by: phone, tellsRinging: true)
        #expect(
            course.handle(.declined(isBusy: true)).prefix(2)
                == [.tell(.reject(.busy), phone), .tellOwn(.reject(.busy))])
    }

    @Test func callWithoutProposalIsAnsweredByTheSession() {
        var (course, effects) = CallCourse.called(by: phone, offer: media, tellsRinging: true)
        #expect(effects == [.start(.ringing)])
        #expect(
            course.handle(.answered) == [.stop(.ringing), .start(.connection), .prepare(media)])
        #expect(course.handle(.prepared(media)).first == .sendAnswer(media, to: phone))
    }

    @Test(arguments: [
        (CallCourse.Failure.network, Jingle.Reason.connectivityError), (.encryption, .securityError),
        (.engine, .failedApplication),
    ])
    func failureEndsBothEnds(_ failure: CallCourse.Failure, _ reason: Jingle.Reason) {
        var (course, _) = CallCourse.called(by: phone, offer: media, tellsRinging: true)
        _ = course.handle(.answered)
        _ = course.handle(.prepared(media))
        #expect(course.handle(.mediaFailed(failure)).first == .terminate(reason, phone))
    }

    // MARK: - Any order

    /// A call has one end and one answer, no sound before the user wants it and no state that lasts for ever, whatever comes in
    /// whatever order.
    @Test func anyOrderOfEventsKeepsTheRules() {
        for seed in 0..<UInt64(TestLength.cases(3_000, long: 100_000)) {
            var random = SplitMix64(seed: seed)
            var watch = Watch()
            let isCalling = Bool.random(using: &random)
            let offer = Bool.random(using: &random) ? media : nil
            var (course, effects) =
                isCalling
                ? CallCourse.calling(isGateway: Bool.random(using: &random))
                : CallCourse.called(by: phone, offer: offer, tellsRinging: Bool.random(using: &random))
            watch.note(effects, after: nil, in: course, isCalling: isCalling)
            for _ in 0..<12 {
                guard let event = events.randomElement(using: &random) else { continue }
                // A clock reports only what runs.
                if case .expired(let limit) = event, !watch.running.contains(limit) { continue }
                if case .expired(let limit) = event { watch.running.remove(limit) }
                effects = course.handle(event)
                watch.note(effects, after: event, in: course, isCalling: isCalling)
            }
            #expect(watch.faults == [], "seed \(seed)")
            if !watch.faults.isEmpty { return }
        }
    }

    private var events: [CallCourse.Event] {
        let messages: [CallMessage.Content] = [
            .ringing, .proceed, .accept, .reject(.busy), .reject(nil), .retract(.cancel), .finish(.success),
        ]
        let others: [CallCourse.Event] = [phone, tablet].flatMap { device -> [CallCourse.Event] in
            messages.map { .received($0, from: device) } + [
                .offer(media, from: device), .answer(media, from: device), .rings(device),
                .held(true, by: device), .terminated(.success, by: device), .terminated(nil, by: device),
                .refused(by: device),
            ]
        }
        return others + messages.map { .sentElsewhere($0) } + CallCourse.Limit.allCases.map { .expired($0) }
            + [
                .delivered, .undeliverable, .prepared(media), .mediaConnected, .mediaFailed(.network),
                .mediaFailed(.encryption), .answered, .hungUp, .declined(isBusy: true),
            ]
    }
}

/// The history of a call, with the rules that it broke.
private struct Watch {
    private(set) var faults: [String] = []
    var running: Set<CallCourse.Limit> = []
    private var wasAnswered = false
    private var wasReported = false
    private var hasEnded = false

    mutating func note(
        _ effects: [CallCourse.Effect], after event: CallCourse.Event?, in course: CallCourse, isCalling: Bool
    ) {
        if event == .answered { wasAnswered = true }
        for effect in effects {
            if hasEnded, case .tell(.retract(.cancel), _) = effect { continue }
            if hasEnded { faults.append("\(effect) after the end") }
            switch effect {
            case .start(let limit): running.insert(limit)
            case .stop(let limit): running.remove(limit)
            case .report(.answered):
                if wasReported { faults.append("two answers") }
                wasReported = true
            case .prepare, .sendOffer, .sendAnswer, .connect:
                if !isCalling, !wasAnswered { faults.append("\(effect) before the answer") }
            default: break
            }
        }
        if course.state == .ended { hasEnded = true }
        if case .connected = course.state {
            if !running.isEmpty { faults.append("\(running) in a conversation") }
        } else if hasEnded {
            if !running.isEmpty { faults.append("\(running) after the end") }
        } else if running.isEmpty {
            faults.append("\(course.state) lasts for ever")
        }
        if effects.count(where: { if case .report(.ended) = $0 { true } else { false } }) > 1 {
            faults.append("two ends")
        }
    }
}

extension MediaDescription {
    /// Returns a description with a format of each kind and one address.
    static func example(role: Role = .either, isEncrypted: Bool = true) throws -> MediaDescription {
        let certificate = Array(repeating: "AB", count: 32).joined(separator: ":")
        let parameter = try #require(Parameter("useinbandfec", "1"))
        let opus = try #require(Format(96, "opus", rate: 48_000, channels: 2, parameters: [parameter]))
        let plain = try #require(Format(0, "PCMU", rate: 8_000))
        let events = try #require(Format(101, "telephone-event", rate: 8_000))
        let fingerprint = try #require(Fingerprint(.sha256, certificate))
        let candidate = try #require(
            Candidate(
                foundation: "1", priority: 2_130_706_303, address: "198.51.100.7", port: 46_074, kind: .host))
        return try #require(
            MediaDescription(
                formats: [opus, plain, events], user: "9f2c", password: "c0ffeec0ffeec0ffeec0ffee",
                fingerprint: isEncrypted ? fingerprint : nil, role: isEncrypted ? role : .either,
                candidates: [candidate]))
    }
}
