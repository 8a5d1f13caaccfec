// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// One end's sound of an encrypted call: what it can send and receive, where, and the certificate that it shows.
///
/// It comes from strangers, and is strict: all its values can be written into a session description as they are.
struct MediaDescription: Hashable, Sendable {
    /// A format of the sound, or of the telephone events (RFC 4733).
    struct Format: Hashable, Sendable {
        /// The payload type, 0 to 127.
        let number: Int
        /// The name of the encoding, such as `opus`.
        let name: String
        /// The rate of the clock in hertz, 8,000 to 192,000.
        let rate: Int
        /// The number of channels, 1 to 8.
        let channels: Int
        /// The parameters of the format, in their order.
        let parameters: [Parameter]

        /// Creates a format; nil if a value is out of its range or a text could not stand in a session description.
        init?(_ number: Int, _ name: String, rate: Int, channels: Int = 1, parameters: [Parameter] = []) {
            guard (0...127).contains(number), MediaDescription.isToken(name, 1...32),
                (8_000...192_000).contains(rate), (1...8).contains(channels), parameters.count <= 32
            else { return nil }
            (self.number, self.name, self.rate, self.channels) = (number, name, rate, channels)
            self.parameters = parameters
        }
    }

    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String

        init?(_ name: String, _ value: String) {
            guard MediaDescription.isToken(name, 1...64), value.utf8.count <= 256,
                value.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") })
            else { return nil }
            (self.name, self.value) = (name, value)
        }
    }

    /// An address at which the end may be reached (RFC 8445).
    struct Candidate: Hashable, Sendable {
        enum Kind: String, Hashable, Sendable { case host, srflx, prflx, relay }

        let foundation: String
        let priority: UInt32
        /// The address in numbers: a name would be asked of a name server.
        let address: String
        let port: UInt16
        let kind: Kind

        /// Creates a candidate over UDP for sound; nil if the address has no numbers or nobody can reach it.
        init?(foundation: String, priority: UInt32, address: String, port: UInt16, kind: Kind) {
            guard MediaDescription.isToken(foundation, 1...32), port > 0, Self.isReachable(address) else {
                return nil
            }
            (self.foundation, self.priority, self.address) = (foundation, priority, address)
            (self.port, self.kind) = (port, kind)
        }

        /// Whether a text is an address in numbers that another machine may have.
        private static func isReachable(_ address: String) -> Bool {
            guard let inet = g_inet_address_new_from_string(address) else { return false }
            defer { g_object_unref(inet) }
            return g_inet_address_get_is_any(inet) == 0 && g_inet_address_get_is_link_local(inet) == 0
                && g_inet_address_get_is_multicast(inet) == 0
        }
    }

    /// The certificate of DTLS, by its hash (RFC 8122).
    struct Fingerprint: Hashable, Sendable {
        enum Hash: String, Hashable, Sendable {
            case sha256 = "sha-256"
            case sha384 = "sha-384"
            case sha512 = "sha-512"

            var length: Int {
                switch self {
                case .sha256: 32
                case .sha384: 48
                case .sha512: 64
                }
            }
        }

        let hash: Hash
        /// Bytes in capital hexadecimal digits, separated by colons.
        let text: String

        /// Creates a fingerprint; nil if the text is not that of so many bytes.
        init?(_ hash: Hash, _ text: String) {
            let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
            guard bytes.count == hash.length,
                bytes.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(MediaDescription.isHexDigit) })
            else { return nil }
            (self.hash, self.text) = (hash, text.uppercased())
        }
    }

    /// Which end begins the handshake of DTLS (RFC 8842).
    enum Role: String, Hashable, Sendable {
        /// In an offer: the other end chooses.
        case either = "actpass"
        case client = "active"
        case server = "passive"
    }

    /// The greatest numbers of formats and candidates.
    static let maximumFormats = 32, maximumCandidates = 64

    let formats: [Format]
    /// The name and the password of the checks of ICE (RFC 8445).
    let user: String
    let password: String
    let fingerprint: Fingerprint
    let role: Role
    private(set) var candidates: [Candidate]

    /// Creates a description; nil if it has no format or a text is out of its range (RFC 8839, section 5.4).
    ///
    /// Formats and candidates over the greatest numbers are dropped.
    init?(
        formats: [Format], user: String, password: String, fingerprint: Fingerprint, role: Role,
        candidates: [Candidate] = []
    ) {
        guard !formats.isEmpty, Self.isICEText(user, 4...256), Self.isICEText(password, 22...256) else {
            return nil
        }
        self.formats = Array(formats.prefix(Self.maximumFormats))
        (self.user, self.password) = (user, password)
        (self.fingerprint, self.role) = (fingerprint, role)
        self.candidates = Array(candidates.prefix(Self.maximumCandidates))
    }

    /// Adds candidates that came later, each once, as far as there is room.
    mutating func add(_ later: [Candidate]) {
        for candidate in later where candidates.count < Self.maximumCandidates {
            if !candidates.contains(candidate) { candidates.append(candidate) }
        }
    }

    /// Whether a text is a token of a session description (RFC 8866, section 9) with so many characters.
    fileprivate static func isToken(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]".utf8.contains($0) }
    }

    /// Whether a text has characters of ICE alone (RFC 8839, section 5.1).
    private static func isICEText(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }

    fileprivate static func isHexDigit(_ byte: UInt8) -> Bool { "0123456789ABCDEFabcdef".utf8.contains(byte) }
}
