// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages

/// The sound of a session (XEP-0167) over ICE (XEP-0176), encrypted by DTLS-SRTP (XEP-0320) or, if the user allows it, not.
enum AudioContent {
    static let namespace = "urn:xmpp:jingle:apps:rtp:1"
    static let audio = "urn:xmpp:jingle:apps:rtp:audio"
    static let ice = "urn:xmpp:jingle:transports:ice-udp:1"
    static let dtls = "urn:xmpp:jingle:apps:dtls:0"

    /// The reason why a content cannot be used.
    enum Fault: Error {
        /// It is not sound, or has no format that can be read.
        case notSound
        /// It has no transport by ICE, or not its name and password.
        case noTransport
        /// It has no certificate, or one that cannot be read, or a role that is not allowed.
        case notEncrypted
    }

    /// Reads a content.
    ///
    /// - Parameters:
    ///   - roles: The roles in DTLS that the sender may take.
    ///   - known: The certificate that the sender has told before, which counts.
    ///   - allowsPlain: Whether the sound may come without encryption; with a word of it, it must be possible.
    static func read(
        _ content: XMLElement, roles: Set<MediaDescription.Role>,
        known: (fingerprint: MediaDescription.Fingerprint, role: MediaDescription.Role)? = nil,
        allowsPlain: Bool = false
    ) throws(Fault) -> MediaDescription {
        guard let description = content.child("description", namespace), description["media"] == "audio"
        else {
            throw .notSound
        }
        let formats = description.children("payload-type").prefix(MediaDescription.maximumFormats)
            .compactMap { format($0) }
        guard !formats.isEmpty else { throw .notSound }
        guard let transport = content.child("transport", ice), let user = transport["ufrag"],
            let password = transport["pwd"]
        else { throw .noTransport }
        let told = certificate(in: transport)
        // One that cannot be read is no missing one.
        let role = told?.1 ?? (transport.child("fingerprint", dtls) == nil ? known?.role : nil)
        let fingerprint = known?.fingerprint ?? told?.0
        let isPlain = allowsPlain && known == nil && !tellsOfEncryption(transport, description)
        guard isPlain || fingerprint != nil && role.map({ roles.contains($0) }) == true else {
            throw .notEncrypted
        }
        guard
            let media = MediaDescription(
                formats: formats, user: user, password: password, fingerprint: fingerprint,
                role: role ?? .either, candidates: candidates(in: transport))
        else { throw .noTransport }
        return media
    }

    /// Whether a transport has a certificate of any version of the protocol, or the sound must be encrypted in another way
    /// (XEP-0167, section 7).
    private static func tellsOfEncryption(_ transport: XMLElement, _ description: XMLElement) -> Bool {
        let requirements = description.children("encryption").compactMap { $0["required"] }
        return hasCertificate(transport) || requirements.contains { $0 == "true" || $0 == "1" }
    }

    /// Whether a transport has a certificate, also one that cannot be read.
    static func hasCertificate(_ transport: XMLElement) -> Bool {
        transport.children.contains { $0.name == "fingerprint" }
    }

    /// Reads the addresses of a transport that can be used: over UDP, for sound.
    static func candidates(in transport: XMLElement) -> [MediaDescription.Candidate] {
        transport.children("candidate").lazy.compactMap { candidate($0) }
            .prefix(MediaDescription.maximumCandidates).map(\.self)
    }

    /// Reads the certificate of a transport; nil if there is none, or one with a weak hash.
    static func certificate(
        in transport: XMLElement
    ) -> (MediaDescription.Fingerprint, MediaDescription.Role)? {
        guard let element = transport.child("fingerprint", dtls),
            let hash = element["hash"].flatMap({
                MediaDescription.Fingerprint.Hash(rawValue: $0.lowercased())
            }),
            let fingerprint = MediaDescription.Fingerprint(hash, element.text),
            let role = element["setup"].flatMap({ MediaDescription.Role(rawValue: $0) })
        else { return nil }
        return (fingerprint, role)
    }

    private static func format(_ element: XMLElement) -> MediaDescription.Format? {
        guard let number = element["id"].flatMap({ Int($0) }) else { return nil }
        // The payload types of RFC 3551 need no name.
        let known = [0: "PCMU", 8: "PCMA"][number]
        guard let name = element["name"] ?? known,
            let rate = Int(element["clockrate"] ?? (known == nil ? "" : "8000")),
            // Opus has two (RFC 7587, section 7), which Gajim leaves out. If it hears of one, it cannot send.
            let channels = Int(element["channels"] ?? (name.lowercased() == "opus" ? "2" : "1"))
        else { return nil }
        let parameters = element.children("parameter").prefix(MediaDescription.Format.maximumParameters)
            .compactMap { parameter in
                parameter["name"].flatMap { MediaDescription.Parameter($0, parameter["value"] ?? "") }
            }
        return MediaDescription.Format(number, name, rate: rate, channels: channels, parameters: parameters)
    }

    private static func candidate(_ element: XMLElement) -> MediaDescription.Candidate? {
        guard element["component"] == "1", element["protocol"]?.lowercased() == "udp",
            let foundation = element["foundation"],
            let priority = element["priority"].flatMap({ UInt32($0) }),
            let address = element["ip"], let port = element["port"].flatMap({ UInt16($0) }),
            let kind = element["type"].flatMap({ MediaDescription.Candidate.Kind(rawValue: $0) })
        else { return nil }
        return MediaDescription.Candidate(
            foundation: foundation, priority: priority, address: address, port: port, kind: kind)
    }

    /// Creates a content with a name.
    ///
    /// The creator is the initiator of the session, whichever end sends the content.
    static func content(_ name: String, _ media: MediaDescription) -> XMLElement {
        XMLElement(
            "content", Jingle.namespace, ["creator": "initiator", "name": name, "senders": "both"],
            [
                XMLElement(
                    "description", namespace, ["media": "audio"],
                    media.formats.map(element) + [XMLElement("rtcp-mux", namespace)]),
                transport(media),
            ])
    }

    private static func transport(_ media: MediaDescription) -> XMLElement {
        let certificate = media.fingerprint.map {
            XMLElement(
                "fingerprint", dtls, ["hash": $0.hash.rawValue, "setup": media.role.rawValue], text: $0.text)
        }
        return XMLElement(
            "transport", ice, ["ufrag": media.user, "pwd": media.password],
            [certificate].compactMap(\.self) + media.candidates.enumerated().map { element($1, id: $0) })
    }

    private static func element(_ format: MediaDescription.Format) -> XMLElement {
        XMLElement(
            "payload-type", namespace,
            [
                "id": "\(format.number)", "name": format.name, "clockrate": "\(format.rate)",
                "channels": format.channels == 1 ? nil : "\(format.channels)",
            ],
            format.parameters.map {
                XMLElement("parameter", namespace, ["name": $0.name, "value": $0.value])
            })
    }

    private static func element(_ candidate: MediaDescription.Candidate, id: Int) -> XMLElement {
        XMLElement(
            "candidate", ice,
            [
                "component": "1", "foundation": candidate.foundation, "generation": "0", "id": "c\(id)",
                "ip": candidate.address, "network": "0", "port": "\(candidate.port)",
                "priority": "\(candidate.priority)", "protocol": "udp", "type": candidate.kind.rawValue,
            ])
    }
}
