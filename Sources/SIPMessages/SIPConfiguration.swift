// SPDX-License-Identifier: GPL-3.0-or-later

/// The settings that apply to the whole engine.
public struct SIPConfiguration: Codable, Hashable, Sendable {
    /// The name of the phone in requests (RFC 3261, section 20.41).
    public var userAgent: String
    public var devices: SIPDevices
    public var hasNetwork: Bool
    /// Whether calls over UDP are accepted from any address, at port 5060 if it is free, and not from registrars alone.
    public var acceptsDirectCalls: Bool
    /// The fingerprints of messages of which earlier engines have died, which are dropped for an hour.
    public var refusedMessages: [Int]
    public var microphone: SIPMicrophone
    /// Whether real-time text that far ends offer is taken.
    public var takesText: Bool

    public init(
        userAgent: String, devices: SIPDevices = SIPDevices(), hasNetwork: Bool = true,
        acceptsDirectCalls: Bool = false, refusedMessages: [Int] = [],
        microphone: SIPMicrophone = SIPMicrophone(), takesText: Bool = true
    ) {
        (self.microphone, self.takesText) = (microphone, takesText)
        (self.userAgent, self.devices, self.hasNetwork) = (userAgent, devices, hasNetwork)
        (self.acceptsDirectCalls, self.refusedMessages) = (acceptsDirectCalls, refusedMessages)
    }
}

/// The sound devices of calls, as ALSA names them; an empty name is the system's default device.
public struct SIPDevices: Codable, Hashable, Sendable {
    public var playback: String
    public var capture: String
    /// The device on which somebody is heard who speaks to the answering machine.
    public var ringing: String

    public init(playback: String = "", capture: String = "", ringing: String = "") {
        (self.playback, self.capture, self.ringing) = (playback, capture, ringing)
    }
}

/// The user’s choices for the sound of the microphone in calls.
public struct SIPMicrophone: Codable, Hashable, Sendable {
    /// The gain in decibels, from −20 to 20.
    public var gain: Double
    public var suppressesNoise: Bool

    public init(gain: Double = 0, suppressesNoise: Bool = true) {
        (self.gain, self.suppressesNoise) = (gain, suppressesNoise)
    }
}

public struct SIPAccount: Codable, Hashable, Sendable, Identifiable {
    /// The transport to the registrar (RFC 3261, section 18).
    public enum Transport: String, Codable, Hashable, Sendable, CaseIterable { case tls, tcp, udp }

    /// The use of encrypted media (RFC 3711).
    public enum Encryption: String, Codable, Hashable, Sendable, CaseIterable {
        /// Calls without encryption are refused.
        case required
        /// Calls are encrypted if the far end can.
        case offered
        case off
    }

    /// The way in which keys are sent during a call.
    public enum DTMFMode: String, Codable, Hashable, Sendable, CaseIterable {
        /// RFC 4733 if the far end offers it, else SIP INFO.
        case automatic
        /// Telephone events in the media stream (RFC 4733).
        case rfc4733
        /// SIP INFO requests (RFC 6086).
        case info
    }

    /// An audio codec (RFC 3551, RFC 7587), by its name in the settings and in sessions.
    public enum Codec: String, Codable, Hashable, Sendable, CaseIterable {
        case opus
        case g722 = "G722"
        case pcma = "PCMA"
        case pcmu = "PCMU"
    }

    /// The identifier of the account, which is also its line's.
    public var id: String
    /// The address of the user, `sip:user@domain`.
    public var address: String
    /// The name for authentication; empty for the user part of the address.
    public var authenticationName: String
    /// The registrar, a SIP address; empty to find it by the domain (RFC 3263).
    public var registrar: String
    public var transport: Transport
    public var encryption: Encryption
    /// The STUN or TURN server, `host` or `host:port`; empty for none.
    public var stunServer: String
    /// The name of the user at the TURN server (RFC 8656); empty if it is only a STUN server.
    public var relayUser: String
    /// The codecs of calls in the order of preference; not empty.
    public var codecs: [Codec]
    public var dtmf: DTMFMode
    /// The time for which a registration is requested, in seconds.
    public var expiry: Int
    /// The SHA-256 fingerprint, in lower-case hex, of the certificate trusted although it fails; or empty.
    public var trustedCertificate: String

    public init(
        id: String, address: String, authenticationName: String = "", registrar: String = "",
        transport: Transport = .tls, encryption: Encryption = .offered, stunServer: String = "",
        relayUser: String = "", codecs: [Codec] = Codec.allCases, dtmf: DTMFMode = .automatic,
        expiry: Int = 600, trustedCertificate: String = ""
    ) {
        (self.id, self.address, self.authenticationName) = (id, address, authenticationName)
        (self.registrar, self.transport, self.encryption) = (registrar, transport, encryption)
        (self.stunServer, self.relayUser, self.codecs) = (stunServer, relayUser, codecs)
        (self.dtmf, self.expiry) = (dtmf, expiry)
        self.trustedCertificate = trustedCertificate
    }
}
