// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages

/// The session descriptions (RFC 8866) between liblinphone and the endpoint, as descriptions of media and back.
enum SessionDescription {
    /// The direction of the sound (RFC 3264), as seen by the one who describes.
    enum Direction: String, CaseIterable {
        case both = "sendrecv"
        case sends = "sendonly"
        case receives = "recvonly"
        case neither = "inactive"

        init(sends: Bool, receives: Bool) {
            self = sends ? receives ? .both : .sends : receives ? .receives : .neither
        }

        var isSending: Bool { self == .both || self == .sends }
        var isReceiving: Bool { self == .both || self == .receives }
    }

    /// The encodings that this phone uses, in lower case, with their clocks: the others of a far end are not told to liblinphone.
    private static let known: Set<String> = [
        "opus/48000", "pcmu/8000", "pcma/8000", "telephone-event/48000", "telephone-event/8000",
    ]
    /// The payload types that need no name (RFC 3551).
    private static let fixed = [0: "PCMU", 8: "PCMA"]
    /// The most bytes of a format's parameters that are told to liblinphone.
    private static let maximumParameters = 256
    /// An address that nobody has (RFC 5737): liblinphone takes no description without any.
    private static let nowhere = MediaDescription.Candidate(
        foundation: "1", priority: 1, address: "192.0.2.1", port: 9, kind: .host)

    /// Whether the far end may be in this machine, as in tests, which have files for sound devices: a stranger could have
    /// packets sent to its programs otherwise.
    private static let takesLoopback = SoundFiles.fromEnvironment != nil

    /// Whether liblinphone is told an address.
    static func isTold(_ candidate: MediaDescription.Candidate) -> Bool {
        takesLoopback || !isLoopback(candidate)
    }

    private static func isLoopback(_ candidate: MediaDescription.Candidate) -> Bool {
        candidate.address.hasPrefix("127.") || candidate.address == "::1"
    }

    // MARK: - From liblinphone

    /// Reads the description of the sound in a text of liblinphone; nil if it has none with ICE, and with or without
    /// encryption as it must be.
    static func media(of text: String, isEncrypted: Bool) -> MediaDescription? {
        var numbers: [Int] = []
        var formats: [Int: (name: String, rate: Int, channels: Int)] = [:]
        var parameters: [Int: [MediaDescription.Parameter]] = [:]
        var candidates: [MediaDescription.Candidate] = []
        var values: [Substring: Substring] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("m=audio ") {
                numbers = line.split(separator: " ").dropFirst(3).compactMap { Int($0) }
            }
            guard line.hasPrefix("a="), let colon = line.firstIndex(of: ":") else { continue }
            let (name, value) = (line[..<colon].dropFirst(2), line[line.index(after: colon)...])
            switch name {
            case "rtpmap":
                let words = value.split(separator: " ")
                let parts = words.last?.split(separator: "/") ?? []
                guard words.count == 2, parts.count >= 2, let number = Int(words[0]), let rate = Int(parts[1])
                else { continue }
                formats[number] = (String(parts[0]), rate, parts.count > 2 ? Int(parts[2]) ?? 1 : 1)
            case "fmtp":
                guard let space = value.firstIndex(of: " "), let number = Int(value[..<space]) else {
                    continue
                }
                parameters[number] = value[space...].split(separator: ";").compactMap { item in
                    let parts = item.split(separator: "=", maxSplits: 1).map {
                        String($0.filter { $0 != " " })
                    }
                    return parts.count == 2 ? MediaDescription.Parameter(parts[0], parts[1]) : nil
                }
            case "candidate":
                if let candidate = candidate(of: value) { candidates.append(candidate) }
            default: values[name] = value
            }
        }
        let all = numbers.compactMap { number -> MediaDescription.Format? in
            guard let format = formats[number] ?? fixed[number].map({ ($0, 8_000, 1) }),
                known.contains("\(format.name.lowercased())/\(format.rate)")
            else { return nil }
            return MediaDescription.Format(
                number, format.name, rate: format.rate, channels: format.channels,
                parameters: parameters[number] ?? [])
        }
        guard let user = values["ice-ufrag"], let password = values["ice-pwd"],
            isEncrypted || values["fingerprint"] == nil
        else { return nil }
        let told = certificate(values["fingerprint"] ?? "", setup: values["setup"] ?? "")
        guard !isEncrypted || told != nil else { return nil }
        return MediaDescription(
            formats: all, user: String(user), password: String(password), fingerprint: told?.fingerprint,
            role: told?.role ?? .either,
            candidates: candidates.contains { !isLoopback($0) }
                ? candidates.filter { !isLoopback($0) } : candidates)
    }

    /// Reads a certificate and the role in the handshake (RFC 8122, RFC 8842).
    private static func certificate(
        _ text: Substring, setup: Substring
    ) -> (fingerprint: MediaDescription.Fingerprint, role: MediaDescription.Role)? {
        let words = text.split(separator: " ")
        guard words.count == 2, let hash = MediaDescription.Fingerprint.Hash(rawValue: words[0].lowercased()),
            let fingerprint = MediaDescription.Fingerprint(hash, String(words[1])),
            let role = MediaDescription.Role(rawValue: String(setup))
        else { return nil }
        return (fingerprint, role)
    }

    /// Reads a candidate of the sound (RFC 8839, section 5.1); nil for one of the statistics, which take the same way.
    private static func candidate(of value: Substring) -> MediaDescription.Candidate? {
        let words = value.split(separator: " ").map(String.init)
        guard words.count >= 8, words[1] == "1", words[2].uppercased() == "UDP", words[6] == "typ",
            let priority = UInt32(words[3]), let port = UInt16(words[5]),
            let kind = MediaDescription.Candidate.Kind(rawValue: words[7])
        else { return nil }
        return MediaDescription.Candidate(
            foundation: words[0], priority: priority, address: words[4], port: port, kind: kind)
    }

    /// Returns the direction that a text of liblinphone has.
    static func direction(of text: String) -> Direction {
        Direction.allCases.first { text.contains("\r\na=\($0.rawValue)\r\n") } ?? .both
    }

    // MARK: - To liblinphone

    /// Whether this phone has a format of the sound in a description.
    static func isUsable(_ media: MediaDescription) -> Bool {
        media.formats.contains { known.contains(name(of: $0)) && $0.name.lowercased() != "telephone-event" }
    }

    private static func name(of format: MediaDescription.Format) -> String {
        "\(format.name.lowercased())/\(format.rate)"
    }

    /// Writes a description of the far end for liblinphone.
    ///
    /// - Parameter countTold: The number of the candidates that were told first: the place of the sound stays one of these.
    static func text(
        _ media: MediaDescription, role: MediaDescription.Role, _ direction: Direction, version: Int,
        countTold: Int
    ) -> String {
        let formats = media.formats.filter { known.contains(name(of: $0)) }
        let first = media.candidates.prefix(countTold).filter(isTold)
        let places = first.isEmpty ? [nowhere].compactMap(\.self) : first
        let candidates = places + media.candidates.dropFirst(countTold).filter(isTold)
        // liblinphone takes an address that is no candidate for a far end without ICE.
        let place =
            places.filter { !$0.address.contains(":") }.max { $0.priority < $1.priority }
            ?? places.max { $0.priority < $1.priority }
        let address = place?.address ?? ""
        let family = address.contains(":") ? "IP6" : "IP4"
        var lines = [
            "v=0", "o=- 1 \(version) IN IP4 127.0.0.1", "s=-", "c=IN \(family) \(address)", "t=0 0",
            "m=audio \(place?.port ?? 9) \(media.isEncrypted ? "UDP/TLS/RTP/SAVP" : "RTP/AVP") "
                + formats.map { "\($0.number)" }.joined(separator: " "),
        ]
        for format in formats {
            let channels = format.channels > 1 ? "/\(format.channels)" : ""
            lines.append("a=rtpmap:\(format.number) \(format.name)/\(format.rate)\(channels)")
            let parameters = format.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            if !parameters.isEmpty, parameters.utf8.count <= maximumParameters {
                lines.append("a=fmtp:\(format.number) \(parameters)")
            }
        }
        lines += [
            "a=rtcp-mux", "a=ice-ufrag:\(media.user)", "a=ice-pwd:\(media.password)",
            "a=\(direction.rawValue)",
        ]
        if let fingerprint = media.fingerprint {
            lines += [
                "a=fingerprint:\(fingerprint.hash.rawValue) \(fingerprint.text)", "a=setup:\(role.rawValue)",
            ]
        }
        lines += candidates.map {
            // The first address behind a router, which nobody needs, must be in a candidate of another kind than its own.
            let base = $0.kind == .host ? "" : " raddr \($0.address.contains(":") ? "::" : "0.0.0.0") rport 9"
            return
                "a=candidate:\($0.foundation) 1 UDP \($0.priority) \($0.address) \($0.port) typ \($0.kind.rawValue)"
                + base
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}
