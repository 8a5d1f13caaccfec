// SPDX-License-Identifier: GPL-3.0-or-later

public enum SIPEvent: Codable, Hashable, Sendable {
    case registration(account: String, SIPRegistration)
    /// The TURN server of an account was checked, once after the account was set, when it was registered.
    case relay(account: String, SIPRelayState)
    /// The registrar of an account has said what is in the user's mailbox (RFC 3842).
    case mailbox(account: String, SIPMailbox)
    case call(SIPCallID, SIPCallEvent)
    /// The registrar of an account has said what an extension does that the account watches (RFC 4235), or says it no longer.
    case `extension`(account: String, address: String, SIPExtension)
}

public enum SIPCallEvent: Codable, Hashable, Sendable {
    /// A call comes in, with an odd id; the far end hears nothing until the phone sends `.ring`.
    ///
    /// `diversions` is how often it was diverted before, as its request says (RFC 5806, RFC 7044).
    case incoming(account: String, caller: SIPParty, offersText: Bool = false, diversions: Int = 0)
    /// The far end rings (180).
    case ringing
    /// The network or the far end is heard before the answer (183 with a session; RFC 3960).
    case earlyMedia
    case answered
    /// The far end holds the call, or resumes it.
    case heldByFarEnd(Bool)
    /// The call cannot be held, and continues.
    case holdRefused
    /// The call cannot be resumed, and stays on hold.
    case resumeRefused
    /// The far end reports that it is transferring the call (RFC 3515, section 2.4.5).
    case transferReported
    /// The call cannot be transferred, and continues.
    case transferRefused
    /// The far end of the call was replaced by the given party (RFC 3891, RFC 4916).
    case farEndChanged(SIPParty)
    /// No microphone is available to the call: the far end hears silence.
    case noMicrophone
    /// The far end has sent no sound for a minute, although nobody holds the call, or sends some again.
    case silent(Bool)
    /// The far end takes keys in none of the ways in which they can be sent, so that they are lost, or takes them again.
    case keysRefused(Bool)
    case keyReceived(String)
    /// Real-time text runs in the call, in both directions, or no longer.
    case textRuns(Bool)
    /// The far end does not take part in the real-time text for which the phone asked.
    case textRefused
    /// A part of the far end's real-time text, in which U+0008 erases the last character, U+2028 begins a new line, and U+FFFD
    /// stands for text that was lost; strangers choose it.
    case text(String)
    /// The greeting and the tone of the answering machine are over.
    case machineRecords
    /// A recording has ended, the machine's or that of both sides.
    case recorded(SIPRecorded)
    /// The sound of this end is prepared, and is described for the far end.
    case described(MediaDescription)
    /// A way to the far end is found, and the sound is encrypted with the keys of the certificate that it has told, if any.
    case connected
    /// The quality of a call, as requested by `SIPCallCommand.measure`.
    case quality(SIPQuality)
    /// The call ended, or could not be set up; no event of the call follows.
    case ended(SIPEnd)
    /// The level of what the far end hears of the microphone, in dBFS.
    case microphone(Double)
}

/// The far end of a call, as its request names it; strangers choose the texts.
public struct SIPParty: Codable, Hashable, Sendable {
    /// The address, `sip:user@host` without parameters, or `tel:number` (RFC 3966).
    public var address: String
    /// The name; empty if there is none.
    public var displayName: String

    public init(address: String, displayName: String = "") {
        (self.address, self.displayName) = (address, displayName)
    }
}

public enum SIPRegistration: Codable, Hashable, Sendable {
    case registering
    case registered
    /// The account is not registered; the engine tries again unless the failure is permanent.
    case failed(SIPFailure)
}

/// The user's mailbox at the provider of an account, as the registrar sums it up.
public struct SIPMailbox: Codable, Hashable, Sendable {
    private var count: Int
    private var isCounted: Bool
    /// The address that calls the mailbox, `sip:`, `sips:` or `tel:`, which the registrar chooses; empty if it says none.
    public var address: String

    public static let maximumCount = 9_999

    public init(newMessages: Int?, address: String = "") {
        (count, isCounted) = (newMessages ?? 0, newMessages != nil)
        self.address = address
    }

    /// The number of new voice messages, at most `maximumCount`; nil if there are some, and the registrar says no number.
    public var newMessages: Int? { isCounted ? count : nil }
}

/// The state of an extension, as the registrar of an account says.
public struct SIPExtension: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable, CaseIterable { case unknown, free, ringing, busy }

    public var state: State
    /// Whether the call that rings can be picked up (RFC 3891).
    public var canBePickedUp: Bool
    /// The caller of an extension that rings; without an address if unknown.
    public var caller: SIPParty

    /// The greatest number of extensions that an account watches, one for each memory key.
    public static let maximumWatched = 9

    public init(
        _ state: State, canBePickedUp: Bool = false, caller: SIPParty = SIPParty(address: "")
    ) {
        (self.state, self.canBePickedUp, self.caller) = (state, canBePickedUp, caller)
    }
}

/// The result of the check of a TURN server (RFC 8656).
public enum SIPRelayState: Codable, Hashable, Sendable {
    /// The server accepted the name and the password, and relays.
    case accepted
    /// The server did not accept the name or the password (401).
    case wrongPassword
    /// The server was not found, or did not answer.
    case noAnswer
    case refused(status: Int)
}

/// The reason why an account could not be registered.
public enum SIPFailure: Codable, Hashable, Sendable {
    /// The registrar did not accept the password (401, 403 or 407 after an answer to its challenge).
    case wrongPassword
    /// The registrar does not know the user (404, 410 or 604).
    case noSuchUser
    /// The registrar asks for the password by other means than digest with MD5 or SHA-256 (RFC 8760).
    case challengeNotSupported
    case serverNotFound
    case certificate(SIPCertificateFault)
    /// The server could not be reached, or did not answer in time.
    case noAnswer
    /// The server refused the connection, which a firewall may cause.
    case connectionRefused
    case noNetwork
    /// The registrar refused with another status; the text is its own.
    case refused(status: Int, text: String)
}

/// The reason why a certificate was not accepted, and which one it was.
public struct SIPCertificateFault: Codable, Hashable, Sendable {
    /// A check that the certificate failed.
    public enum Check: String, Codable, Hashable, Sendable, CaseIterable {
        /// No authority that the system trusts has signed it.
        case notTrusted
        /// It is for another server.
        case otherName
        case expired
        case notYetValid
        case revoked
        /// It failed another check, such as a weak signature, or the check is unknown.
        case other
    }

    /// The checks that failed; not empty.
    public var checks: [Check]
    /// The SHA-256 fingerprint of the server's certificate, as colon-separated hexadecimal bytes; empty if unknown.
    public var fingerprint: String

    public init(_ checks: [Check], fingerprint: String = "") {
        (self.checks, self.fingerprint) = (checks, fingerprint)
    }
}

public struct SIPEnd: Codable, Hashable, Sendable {
    public enum Side: String, Codable, Hashable, Sendable { case phone, farEnd, network }

    /// The side that ended the call.
    public var side: Side
    /// The status of the final response (RFC 3261, section 21); 0 if there is none.
    public var status: Int
    /// The cause by Q.850 in the `Reason` field (RFC 3326); 0 if there is none.
    public var cause: Int
    /// The text of the response, chosen by the far end.
    public var text: String
    /// Whether another phone answered the call (RFC 3326: “Call completed elsewhere”).
    public var isAnsweredElsewhere: Bool
    public var isTransferred: Bool
    /// Whether the phone ended the call because its media could not be encrypted.
    public var isUnprotected: Bool
    /// The state of the relay through which alone the call may go, if that is the reason; otherwise nil.
    public var relay: SIPRelayState?

    public init(
        _ side: Side, status: Int = 0, cause: Int = 0, text: String = "", isAnsweredElsewhere: Bool = false,
        isTransferred: Bool = false, isUnprotected: Bool = false, relay: SIPRelayState? = nil
    ) {
        (self.side, self.status, self.cause, self.text) = (side, status, cause, text)
        (self.isAnsweredElsewhere, self.isTransferred) = (isAnsweredElsewhere, isTransferred)
        (self.isUnprotected, self.relay) = (isUnprotected, relay)
    }
}

/// The result of a recording.
public struct SIPRecorded: Codable, Hashable, Sendable {
    public enum End: String, Codable, Hashable, Sendable, CaseIterable {
        /// The far end has pressed `#`.
        case key
        case silence
        /// It has its greatest length.
        case limit
        /// The call has ended.
        case ended
        /// The phone has ended it, or has taken the call over.
        case stopped
        /// The file could not be written.
        case failed
    }

    public var end: End
    /// The length in seconds.
    public var seconds: Double
    /// Whether nobody has said anything.
    public var isSilent: Bool

    public init(_ end: End, seconds: Double, isSilent: Bool) {
        (self.end, self.seconds, self.isSilent) = (end, seconds, isSilent)
    }
}

public struct SIPQuality: Codable, Hashable, Sendable {
    /// The codec, such as `opus`; empty if unknown.
    public var codec: String
    /// The encryption of the media, such as `SRTP` or `DTLS-SRTP`; empty if there is none.
    public var encryption: String
    /// The packets that were lost on the way here, in per cent.
    public var loss: Double
    /// The variation of the packets' delay, in milliseconds.
    public var jitter: Double
    /// The time to the far end and back, in milliseconds; 0 if unknown.
    public var roundTrip: Double

    public init(
        codec: String = "", encryption: String = "", loss: Double = 0, jitter: Double = 0,
        roundTrip: Double = 0
    ) {
        (self.codec, self.encryption) = (codec, encryption)
        (self.loss, self.jitter, self.roundTrip) = (loss, jitter, roundTrip)
    }
}
