// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// One end's sound of a call: what it can send and receive, where, and the certificate that it shows.
///
/// It comes from strangers, and is strict: all its values can be written into a session description as they are. A message
/// with another value is not decoded.
public struct MediaDescription: Codable, Hashable, Sendable {
    /// A format of the sound, or of the telephone events (RFC 4733).
    public struct Format: Codable, Hashable, Sendable {
        /// The payload type, 0 to 127.
        public let number: Int
        /// The name of the encoding, such as `opus`.
        public let name: String
        /// The rate of the clock in hertz, 8,000 to 192,000.
        public let rate: Int
        /// The number of channels, 1 to 8.
        public let channels: Int
        /// The greatest number of parameters.
        public static let maximumParameters = 8

        /// The parameters of the format, in their order.
        public let parameters: [Parameter]

        /// Creates a format; nil if a value is out of its range or a text could not stand in a session description.
        public init?(
            _ number: Int, _ name: String, rate: Int, channels: Int = 1, parameters: [Parameter] = []
        ) {
            guard (0...127).contains(number), MediaDescription.isToken(name, 1...32),
                (8_000...192_000).contains(rate), (1...8).contains(channels),
                parameters.count <= Self.maximumParameters
            else { return nil }
            (self.number, self.name, self.rate, self.channels) = (number, name, rate, channels)
            self.parameters = parameters
        }
    }

    public struct Parameter: Codable, Hashable, Sendable {
        public let name: String
        public let value: String

        public init?(_ name: String, _ value: String) {
            guard MediaDescription.isToken(name, 1...64), value.utf8.count <= 128,
                value.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") })
            else { return nil }
            (self.name, self.value) = (name, value)
        }
    }

    /// An address at which the end may be reached (RFC 8445).
    public struct Candidate: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Hashable, Sendable { case host, srflx, prflx, relay }

        public let foundation: String
        public let priority: UInt32
        /// The address in numbers: a name would be asked of a name server.
        public let address: String
        public let port: UInt16
        public let kind: Kind

        /// Creates a candidate over UDP for sound; nil if the address has no numbers or nobody can reach it.
        public init?(foundation: String, priority: UInt32, address: String, port: UInt16, kind: Kind) {
            guard MediaDescription.isToken(foundation, 1...32), port > 0, Self.isReachable(address) else {
                return nil
            }
            (self.foundation, self.priority, self.address) = (foundation, priority, address)
            (self.port, self.kind) = (port, kind)
        }

        /// Whether a text is an address in numbers that another machine may have.
        private static func isReachable(_ address: String) -> Bool {
            var (narrow, wide) = (in_addr(), in6_addr())
            if inet_pton(AF_INET, address, &narrow) == 1 {
                let bytes = withUnsafeBytes(of: narrow) { Array($0) }
                // This network, link-local, multicast and reserved addresses (RFC 6890).
                return bytes[0] != 0 && bytes[0] < 224 && !(bytes[0] == 169 && bytes[1] == 254)
            }
            guard inet_pton(AF_INET6, address, &wide) == 1 else { return false }
            let bytes = withUnsafeBytes(of: wide) { Array($0) }
            // An address of IPv4 in other words would pass the checks above.
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return bytes.contains { $0 != 0 } && bytes[0] != 0xFF && !isMapped
                && !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
        }
    }

    /// The certificate of DTLS, by its hash (RFC 8122).
    public struct Fingerprint: Codable, Hashable, Sendable {
        public enum Hash: String, Codable, Hashable, Sendable {
            case sha256 = "sha-256"
            case sha384 = "sha-384"
            case sha512 = "sha-512"

            public var length: Int {
                switch self {
                case .sha256: 32
                case .sha384: 48
                case .sha512: 64
                }
            }
        }

        public let hash: Hash
        /// Bytes in capital hexadecimal digits, separated by colons.
        public let text: String

        /// Creates a fingerprint; nil if the text is not that of so many bytes.
        public init?(_ hash: Hash, _ text: String) {
            let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
            guard bytes.count == hash.length,
                bytes.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(MediaDescription.isHexDigit) })
            else { return nil }
            (self.hash, self.text) = (hash, text.uppercased())
        }
    }

    /// Which end begins the handshake of DTLS (RFC 8842).
    public enum Role: String, Codable, Hashable, Sendable {
        /// In an offer: the other end chooses.
        case either = "actpass"
        case client = "active"
        case server = "passive"
    }

    /// The greatest numbers of formats and candidates.
    public static let maximumFormats = 32, maximumCandidates = 64

    public let formats: [Format]
    /// The name and the password of the checks of ICE (RFC 8445).
    public let user: String
    public let password: String
    /// The certificate; nil if the sound is not encrypted.
    public let fingerprint: Fingerprint?
    /// The role in the handshake; `.either` without one.
    public let role: Role
    public private(set) var candidates: [Candidate]

    /// Whether the sound is encrypted.
    public var isEncrypted: Bool { fingerprint != nil }

    /// Creates a description; nil if it has no format, a text is out of its range (RFC 8839, section 5.4), or a role is chosen
    /// without a certificate.
    ///
    /// Formats and candidates over the greatest numbers are dropped.
    public init?(
        formats: [Format], user: String, password: String, fingerprint: Fingerprint?, role: Role,
        candidates: [Candidate] = []
    ) {
        guard !formats.isEmpty, Self.isICEText(user, 4...256), Self.isICEText(password, 22...256),
            fingerprint != nil || role == .either
        else { return nil }
        self.formats = Array(formats.prefix(Self.maximumFormats))
        (self.user, self.password) = (user, password)
        (self.fingerprint, self.role) = (fingerprint, role)
        self.candidates = Array(candidates.prefix(Self.maximumCandidates))
    }

    /// Adds candidates that came later, each once, as far as there is room.
    public mutating func add(_ later: [Candidate]) {
        for candidate in later where candidates.count < Self.maximumCandidates {
            if !candidates.contains(candidate) { candidates.append(candidate) }
        }
    }

    /// Returns the description with candidates of one kind alone.
    public func only(_ kind: Candidate.Kind) -> MediaDescription {
        var copy = self
        copy.candidates.removeAll { $0.kind != kind }
        return copy
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

// MARK: - Decoding

extension Decoder {
    /// Returns a value that was decoded; throws `DecodingError` if it is out of its range.
    fileprivate func checked<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "a value is out of its range"))
        }
        return value
    }
}

extension MediaDescription {
    /// The members, in their order: a message has no names, so that one that may be missing is a list.
    private enum CodingKeys: CodingKey { case formats, user, password, fingerprint, role, candidates }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(formats, forKey: .formats)
        try values.encode(user, forKey: .user)
        try values.encode(password, forKey: .password)
        try values.encode([fingerprint].compactMap(\.self), forKey: .fingerprint)
        try values.encode(role, forKey: .role)
        try values.encode(candidates, forKey: .candidates)
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func certificate() throws -> Fingerprint? {
            let all = try values.decode([Fingerprint].self, forKey: .fingerprint)
            return try decoder.checked(all.count <= 1 ? all : nil).first
        }
        self = try decoder.checked(
            MediaDescription(
                formats: values.decode([Format].self, forKey: .formats),
                user: values.decode(String.self, forKey: .user),
                password: values.decode(String.self, forKey: .password), fingerprint: certificate(),
                role: values.decode(Role.self, forKey: .role),
                candidates: values.decode([Candidate].self, forKey: .candidates)))
    }
}

extension MediaDescription.Format {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self = try decoder.checked(
            Self(
                values.decode(Int.self, forKey: .number), values.decode(String.self, forKey: .name),
                rate: values.decode(Int.self, forKey: .rate),
                channels: values.decode(Int.self, forKey: .channels),
                parameters: values.decode([MediaDescription.Parameter].self, forKey: .parameters)))
    }
}

extension MediaDescription.Parameter {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self = try decoder.checked(
            Self(values.decode(String.self, forKey: .name), values.decode(String.self, forKey: .value)))
    }
}

extension MediaDescription.Candidate {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self = try decoder.checked(
            Self(
                foundation: values.decode(String.self, forKey: .foundation),
                priority: values.decode(UInt32.self, forKey: .priority),
                address: values.decode(String.self, forKey: .address),
                port: values.decode(UInt16.self, forKey: .port),
                kind: values.decode(Kind.self, forKey: .kind)))
    }
}

extension MediaDescription.Fingerprint {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self = try decoder.checked(
            Self(
                values.decode(Hash.self, forKey: .hash), values.decode(String.self, forKey: .text)))
    }
}
