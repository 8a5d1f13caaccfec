// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
import TouchtoneCore

/// The settings of one account, which may contain anything.
@MainActor
struct SIPAccountSettings {
    /// The keys of the schema.
    static let keys = [
        "address", "auth-name", "registrar", "transport", "srtp", "stun-server", "dtmf", "expiry", "enabled",
    ]
    /// The greatest length of a text, in characters.
    private static let maximumLength = 300

    let settings: Settings

    var isEnabled: Bool { settings[flag: "enabled"] }

    /// The address; nil if it is not a SIP address.
    var uri: SIPURI? { try? SIPURI(entered: settings[text: "address"]) }

    /// Returns the account for the engine; nil without a valid address.
    func account(_ id: String) -> SIPAccount? {
        guard let uri else { return nil }
        var registrar = text("registrar")
        if !registrar.isEmpty, !SIPURI.hasScheme(registrar) { registrar = "sip:" + registrar }
        return SIPAccount(
            id: id, address: uri.text, authenticationName: text("auth-name"), registrar: registrar,
            transport: .init(rawValue: settings[text: "transport"]) ?? .tls,
            encryption: .init(rawValue: settings[text: "srtp"]) ?? .offered, stunServer: text("stun-server"),
            dtmf: .init(rawValue: settings[text: "dtmf"]) ?? .automatic,
            expiry: Int(min(max(settings[count: "expiry"], 60), 86_400)))
    }

    /// Resets all keys.
    func reset() { for key in Self.keys { settings.reset(key) } }

    /// Returns the ids of accounts in a setting: those that can be part of a path, each once.
    static func ids(in list: [String]) -> [String] {
        var ids: [String] = []
        for id in list where isID(id) && !ids.contains(id) { ids.append(id) }
        return Array(ids.prefix(SIPAccounts.maximumCount))
    }

    /// Returns an unused id for an address: `ada-example-org`.
    static func newID(for uri: SIPURI, besides used: [String]) -> String {
        let words = uri.shown.lowercased().utf8.split { !isLetterOrDigit($0) }
        let base = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(48))
        let name = base.isEmpty || ["practice", "tel"].contains(base) ? "account" : base
        return ([name] + (2...SIPAccounts.maximumCount + 1).map { "\(name)-\($0)" }).first {
            !used.contains($0)
        } ?? name
    }

    /// Returns a text without surrounding blanks and invisible characters.
    private func text(_ key: String) -> String {
        // A value that is cut gets no ellipsis, since it is also sent.
        let start = String(settings[text: key].unicodeScalars.prefix(Self.maximumLength))
        let line = PlainText.line(start, maximum: Self.maximumLength).drop { $0 == " " }
        return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }

    private static func isID(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count) && !["practice", "tel"].contains(id)
            && id.utf8.allSatisfy {
                isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
