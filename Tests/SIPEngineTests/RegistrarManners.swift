// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Foundation
import SIPMessages
import TestSupport
import Testing

/// How a kind of server is reported to speak, for the scripted registrar.
struct RegistrarManners: Sendable, CustomTestStringConvertible {
    /// The server.
    let testDescription: String
    /// The domain of the account's address.
    let domain: String
    /// The user's name for the password; empty for the user of the address.
    let authenticationName: String
    /// The realm of its challenges, which may not be the domain.
    let realm: String
    /// The status line of a challenge.
    let status: String
    /// The parameters of its challenges, in their order, besides the realm and the nonce.
    let challenges: [String]
    /// The responses to a call before it is answered, and whether they have a session.
    let progress: [(status: String, hasSession: Bool)]
    /// From and other fields of its calls, and the caller that they name.
    let callers: [(from: String, fields: String, party: SIPParty)]
    /// The sessions of its requests to change a call; nil for one without a session, to which the phone makes the offer.
    let changes: [String?]

    /// A router for the home: its realm is its name, and a challenge has neither an algorithm nor a protection.
    static let fritzBox = RegistrarManners(
        testDescription: "FRITZ!Box", domain: "fritz.box", authenticationName: "", realm: "fritz.box",
        status: "401 Unauthorized", challenges: [""],
        progress: [("183 Session Progress", true)],
        callers: [
            (
                "\"Doe, Jane\" <sip:0301234567@fritz.box>", "",
                SIPParty(address: "sip:0301234567@fritz.box", displayName: "Doe, Jane")
            ),
            (
                "\"Kitchen\" <sip:**620@fritz.box>", "",
                SIPParty(address: "sip:**620@fritz.box", displayName: "Kitchen")
            ),
            ("<sip:anonymous@fritz.box>", "", SIPParty(address: "sip:anonymous@fritz.box")),
        ],
        changes: [
            ScriptedRegistrar.session(port: 40_000, direction: "sendonly"),
            ScriptedRegistrar.session(port: 40_000),
        ])

    /// An exchange whose realm says nothing of its domain, with several algorithms; it connects the media of two phones
    /// directly after the answer.
    static let asterisk = RegistrarManners(
        testDescription: "Asterisk", domain: "pbx.example.org", authenticationName: "", realm: "asterisk",
        status: "401 Unauthorized",
        challenges: [
            "opaque=\"5ccc069c\", algorithm=SHA-512-256, qop=\"auth\"",
            "opaque=\"5ccc069c\", algorithm=SHA-256, qop=\"auth\"",
            "opaque=\"5ccc069c\", algorithm=MD5, qop=\"auth\"",
        ],
        progress: [("180 Ringing", false), ("183 Session Progress", true)],
        callers: [
            (
                "\"Jane\" <sip:100@pbx.example.org>",
                "P-Asserted-Identity: \"Doe, Jane\" <sip:100@pbx.example.org>\r\n",
                SIPParty(address: "sip:100@pbx.example.org", displayName: "Doe, Jane")
            ),
            (
                "\"Anonymous\" <sip:anonymous@anonymous.invalid>",
                "Privacy: id\r\nP-Asserted-Identity: \"Jane\" <sip:100@pbx.example.org>\r\n",
                SIPParty(address: "sip:anonymous@anonymous.invalid", displayName: "Anonymous")
            ),
        ],
        changes: [ScriptedRegistrar.session(port: 40_002), ScriptedRegistrar.session(port: 40_000)])

    /// An exchange that challenges like a proxy, with a user for the password alone, and asks phones for offers.
    static let threeCX = RegistrarManners(
        testDescription: "3CX", domain: "company.example.org", authenticationName: "xK29dkq1",
        realm: "3CXPhoneSystem", status: "407 Proxy Authentication Required", challenges: ["algorithm=MD5"],
        progress: [("180 Ringing", false)],
        callers: [
            (
                "\"Jane Doe:Sales\"<sip:101@company.example.org:5060;nf=e>", "",
                SIPParty(address: "sip:101@company.example.org:5060", displayName: "Jane Doe:Sales")
            ),
            (
                "<sip:+49301234567@company.example.org:5060>",
                "P-Asserted-Identity: <tel:+49301234567>\r\n", SIPParty(address: "tel:+49301234567")
            ),
        ],
        changes: [nil, ScriptedRegistrar.session(port: 40_000)])

    static let all = [fritzBox, asterisk, threeCX]

    /// The account of the phone.
    func account(at registrar: ScriptedRegistrar) -> SIPAccount {
        SIPAccount(
            id: "alice", address: "sip:alice@\(domain)", authenticationName: authenticationName,
            registrar: "sip:127.0.0.1:\(registrar.port)", transport: .udp, encryption: .off)
    }

    /// Returns the fields of its challenges.
    func challenge(nonce: String, stale: Bool = false) -> String {
        let name = status.hasPrefix("407") ? "Proxy-Authenticate" : "WWW-Authenticate"
        return challenges.map {
            "\(name): Digest nonce=\"\(nonce)\"\(stale ? ", stale=true" : ""), realm=\"\(realm)\""
                + ($0.isEmpty ? "" : ", \($0)") + "\r\n"
        }.joined()
    }

    /// Returns whether a request has one response to a challenge, and it is right (RFC 7616, section 3.4.1).
    func accepts(_ request: String, nonce: String, password: String = "secret") -> Bool {
        let name = status.hasPrefix("407") ? "Proxy-Authorization" : "Authorization"
        let fields = request.components(separatedBy: "\r\n").filter { $0.contains("uthorization:") }
        guard let field = fields.first, fields.count == 1, field.hasPrefix(name) else { return false }
        let kind = value("algorithm", in: field) == "SHA-256" ? G_CHECKSUM_SHA256 : G_CHECKSUM_MD5
        func hash(_ parts: [String]) -> String {
            guard let text = g_compute_checksum_for_string(kind, parts.joined(separator: ":"), -1) else {
                return ""
            }
            defer { g_free(text) }
            return String(cString: text)
        }
        let method = String(request.prefix { $0 != " " })
        let user = authenticationName.isEmpty ? "alice" : authenticationName
        let protection = ["nc", "cnonce", "qop"].map { value($0, in: field) }
        let expected = hash(
            [hash([user, realm, password]), nonce] + (protection[2].isEmpty ? [] : protection)
                + [hash([method, value("uri", in: field)])])
        return value("nonce", in: field) == nonce && value("response", in: field) == expected
    }

    /// Returns a parameter of a response to a challenge.
    private func value(_ name: String, in field: String) -> String {
        let parameters = field.drop { $0 != " " }.split(whereSeparator: { ", ".contains($0) })
        let found = parameters.first { $0.hasPrefix("\(name)=") }
        return found.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } } ?? ""
    }
}
