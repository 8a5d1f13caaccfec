// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

/// Tests of the words for what SIP and Q.850 report.
@Suite struct SIPEndTests {
    private static let absent = CallEndReason.notAvailable
    private static let codec = CallEndReason.failed(
        "the phones have no audio format, or no encryption, in common")

    @Test(arguments: [
        (486, 0, CallEndReason.busy), (600, 0, .busy), (603, 0, .declined), (607, 0, .declined),
        (404, 0, .noSuchNumber), (410, 0, .noSuchNumber), (484, 0, .noSuchNumber), (604, 0, .noSuchNumber),
        (408, 0, .noAnswer), (487, 0, .noAnswer), (480, 0, absent), (503, 0, absent), (488, 0, codec),
        (606, 0, codec), (415, 0, codec), (402, 0, .failed("the server requires a payment")),
        (403, 0, .failed("the server does not allow this call")),
        (407, 0, .failed("the server did not accept the password")), (500, 0, .network), (504, 0, .network),
        (483, 0, .failed("the server’s answer was 483")),
        // A gateway's cause says more than the status around it.
        (480, 17, .busy), (500, 1, .noSuchNumber), (503, 34, .network), (480, 19, .noAnswer),
        (480, 21, .declined), (503, 20, absent), (500, 88, codec), (486, 16, .busy),
    ])
    func unreachedCallHasReason(status: Int, cause: Int, reason: CallEndReason) {
        let end = SIPEnd(.farEnd, status: status, cause: cause)
        #expect(end.reason(isIncoming: false, isAnswered: false) == reason)
    }

    @Test func secureAddressNeedsTLS() {
        let reason = SIPEnd(.phone, status: 416).reason(isIncoming: false, isAnswered: false)
        #expect(
            reason == .failed("a sips: address can be called only from an account with the transport TLS"))
    }

    @Test func conversationEndsByOneSide() {
        func reason(_ end: SIPEnd) -> CallEndReason { end.reason(isIncoming: false, isAnswered: true) }
        #expect(reason(SIPEnd(.farEnd)) == .farEnd)
        #expect(reason(SIPEnd(.farEnd, cause: 16)) == .farEnd)
        #expect(reason(SIPEnd(.phone)) == .hungUp)
        #expect(reason(SIPEnd(.phone, status: 488)) == Self.codec)
        #expect(reason(SIPEnd(.network, status: 408)) == .network)
        #expect(reason(SIPEnd(.farEnd, isTransferred: true)) == .transferred)
    }

    @Test func incomingCallIsGivenUpOrAnsweredElsewhere() {
        func reason(_ end: SIPEnd) -> CallEndReason { end.reason(isIncoming: true, isAnswered: false) }
        #expect(reason(SIPEnd(.farEnd, status: 487)) == .farEnd)
        #expect(reason(SIPEnd(.farEnd, status: 487, isAnsweredElsewhere: true)) == .answeredElsewhere)
        #expect(reason(SIPEnd(.network)) == .network)
    }

    @Test func textOfStrangerIsSafeAndShort() {
        let text = "\u{202e}evil\u{0}\n" + String(repeating: "x", count: 5000)
        guard
            case .failed(let reason) = SIPEnd(.farEnd, status: 499, text: text)
                .reason(isIncoming: false, isAnswered: false)
        else { return #expect(Bool(false), "not a failure") }
        #expect(reason.hasPrefix("the server’s answer was 499 evil\u{2400} xxx") && reason.count < 150)
    }

    @Test(arguments: [
        (SIPFailure.wrongPassword, "password"), (.noSuchUser, "doesn’t know this user"),
        (.serverNotFound, "No SIP server was found for example.org"),
        (.certificate(SIPCertificateFault([.expired])), "certificate can’t be trusted: it has expired."),
        (.certificate(SIPCertificateFault([.otherName], fingerprint: "AB:CD")), "fingerprint is AB:CD."),
        (.noAnswer, "isn’t responding"), (.connectionRefused, "firewall"), (.noNetwork, "network"),
        (.refused(status: 423, text: "Interval\nToo Brief"), "(423): “Interval Too Brief”"),
        (.refused(status: 500, text: ""), "(500)."),
    ])
    func failureOfRegistrationIsExplained(failure: SIPFailure, words: String) {
        #expect(failure.text(domain: "example.org").contains(words))
    }
}
