// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
import TouchtoneCore

/// The settings of one account, which may contain anything.
@MainActor
struct SIPAccountSettings {
    static let keys = [
        "address", "auth-name", "registrar", "transport", "srtp", "stun-server", "codecs", "dtmf", "expiry",
        "pinned-certificate", "enabled", "voicemail",
        "divert", "divert-calls", "divert-to", "divert-after", "extensions", "pickup-code",
    ]
    private static let maximumLength = 300

    let settings: Settings

    var isEnabled: Bool { settings[flag: "enabled"] }

    /// The address; nil if it is not a SIP address.
    var uri: SIPURI? { try? SIPURI(entered: settings[text: "address"]) }

    /// The number or address of the voicemail; nil if there is none.
    var voicemail: RemoteParty? { party("voicemail") }

    /// Whether calls are diverted, if there is a place to which they can be.
    var diverts: Bool {
        get { settings[flag: "divert"] }
        nonmutating set { if newValue != diverts { settings[flag: "divert"] = newValue } }
    }

    /// The diversion, as it is when it is turned on; nil without a number or address.
    var diversion: Diversion? {
        guard let target = party("divert-to") else { return nil }
        let seconds = min(
            max(settings[count: "divert-after"], Diversion.delays.lowerBound), Diversion.delays.upperBound)
        return Diversion(
            of: Diversion.Calls(rawValue: settings[text: "divert-calls"]) ?? .all, to: target,
            after: .seconds(Int(seconds)))
    }

    /// The extensions that memory keys watch, by their numbers or addresses.
    var extensions: [CallTarget] {
        get {
            let targets = settings[list: "extensions"].prefix(Self.mostExtensions).compactMap {
                CallTarget(kept: $0)
            }
            return targets.filter(Self.isExtension)
        }
        nonmutating set { settings[list: "extensions"] = newValue.map(\.kept) }
    }

    /// The code that is dialled before the number of an extension to pick up a call there; nil if there is nothing.
    var pickupCode: String? {
        let code = text("pickup-code")
        let isCode =
            !code.isEmpty && code.utf8.count <= DialRules.maximumPrefixLength
            && code.allSatisfy { "0123456789*#".contains($0) }
        return isCode ? code : nil
    }

    private static let mostExtensions = 32
    /// The greatest length of an address of which the engine takes messages, in bytes.
    private static let longestAddress = 700

    /// Returns whether a number or an address can be one of an extension: nothing is sent after the answer.
    static func isExtension(_ target: CallTarget) -> Bool {
        switch target {
        case .number(let number):
            number.isDialable && number.text.allSatisfy { "+0123456789*#".contains($0) }
        case .address(.sip(let address)): address.text.utf8.count <= longestAddress
        case .address(.jabber): false
        }
    }

    /// Returns the number or address in a key; nil if it contains neither.
    private func party(_ key: String) -> RemoteParty? { RemoteParty(entered: text(key)) }

    /// The registrar as a SIP address; empty to find it by the domain of the address.
    private var registrar: String {
        let registrar = text("registrar")
        return registrar.isEmpty || SIPURI.hasScheme(registrar) ? registrar : "sip:" + registrar
    }

    /// The STUN or TURN server without its scheme and user.
    private var stunServer: String {
        let server = text("stun-server")
        guard let scheme = ["turn:", "stun:"].first(where: server.lowercased().hasPrefix) else {
            return server
        }
        let place = server.dropFirst(scheme.count)
        return String(place[(place.lastIndex(of: "@").map(place.index(after:)) ?? place.startIndex)...])
    }

    /// The name of the TURN server's user; empty without one.
    private var relayUser: String {
        let server = text("stun-server")
        guard server.lowercased().hasPrefix("turn:"), let at = server.lastIndex(of: "@") else { return "" }
        return String(server[..<at].dropFirst("turn:".count))
    }

    /// The name under which the keyring has the TURN server's password, `turn:user@host`; empty without such a server.
    var relay: String { relayUser.isEmpty ? "" : "turn:\(relayUser)@\(stunServer)" }

    private var codecs: [SIPAccount.Codec] {
        var codecs: [SIPAccount.Codec] = []
        for name in settings[list: "codecs"] {
            let codec = SIPAccount.Codec.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
            if let codec, !codecs.contains(codec) { codecs.append(codec) }
        }
        return codecs.isEmpty ? SIPAccount.Codec.allCases : codecs
    }

    /// The name of the server, which its certificate must have; nil without a valid address.
    private var server: String? {
        guard let colon = registrar.firstIndex(of: ":") else { return uri?.host }
        // The address of a server has no user, unlike one that can be called.
        let place = registrar[registrar.index(after: colon)...]
        return try? SIPURI("sip:" + (place.contains("@") ? "" : "server@") + place).host
    }

    /// The SHA-256 fingerprint, in lower-case hex, of the server's one trusted certificate; empty for none.
    ///
    /// The setting contains the server's name, too, so that trust in one server does not extend to another.
    var trustedCertificate: String {
        let parts = settings[text: "pinned-certificate"].lowercased().split(separator: " ")
        guard parts.count == 2, parts[0] == server ?? "", let fingerprint = Self.fingerprint(String(parts[1]))
        else { return "" }
        return fingerprint
    }

    /// Trusts a certificate of the server, although it fails verification; nil trusts none.
    func trust(_ fingerprint: String?) {
        guard let fingerprint, let server else { return settings.reset("pinned-certificate") }
        settings[text: "pinned-certificate"] = "\(server) \(fingerprint)"
    }

    /// Returns a SHA-256 fingerprint in lower-case hex, without colons; nil if the text is none.
    static func fingerprint(_ text: String) -> String? {
        let digits = text.lowercased().filter { $0 != ":" }
        return digits.utf8.count == 64 && digits.allSatisfy { $0.isASCII && $0.isHexDigit } ? digits : nil
    }

    /// Returns the account for the engine; nil without a valid address.
    func account(_ id: String) -> SIPAccount? {
        guard let uri else { return nil }
        return SIPAccount(
            id: id, address: uri.text, authenticationName: text("auth-name"), registrar: registrar,
            transport: .init(rawValue: settings[text: "transport"]) ?? .tls,
            encryption: .init(rawValue: settings[text: "srtp"]) ?? .offered, stunServer: stunServer,
            relayUser: relayUser, codecs: codecs,
            dtmf: .init(rawValue: settings[text: "dtmf"]) ?? .automatic,
            expiry: Int(min(max(settings[count: "expiry"], 60), 86_400)),
            trustedCertificate: trustedCertificate)
    }

    func reset() { for key in Self.keys { settings.reset(key) } }

    /// Returns a text without surrounding blanks and invisible characters.
    private func text(_ key: String) -> String {
        // A value that is cut gets no ellipsis, since it is also sent.
        let start = String(settings[text: key].unicodeScalars.prefix(Self.maximumLength))
        let line = PlainText.line(start, maximum: Self.maximumLength).drop { $0 == " " }
        return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
}
