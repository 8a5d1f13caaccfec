// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import SIPMessages

extension SIPParty {
    /// The user of the address, or a telephone number.
    var user: Substring { address.drop { $0 != ":" }.dropFirst().prefix { $0 != "@" && $0 != ";" } }
}

/// The identities that a server asserts about a far end (RFC 3325, section 9.1): a SIP address, a telephone number, or both.
enum AssertedIdentities {
    private static let maximumCount = 2
    /// The greatest length of an address, in bytes: liblinphone crashes at longer ones.
    private static let maximumLength = 700

    /// Returns the caller, by a number if one is asserted; nil without an address, or if the field Privacy
    /// (RFC 3323, section 4.2) wants none of it shown.
    static func party(in field: String, privacy: String) -> SIPParty? {
        let wishes = privacy.lowercased().split { ";, \t".contains($0) }
        guard !wishes.contains(where: { ["id", "user", "header"].contains($0) }) else { return nil }
        let parties = values(of: field).prefix(maximumCount).compactMap(party)
        guard
            var chosen = parties.first(where: { isSIP($0) && hasNumber($0) })
                ?? parties.first(where: { !isSIP($0) }) ?? parties.first
        else { return nil }
        if chosen.displayName.isEmpty { chosen.displayName = parties.map(\.displayName).joined() }
        return chosen
    }

    static func telephone(in field: String) -> SIPParty? {
        guard let party = party(Substring(field)), !isSIP(party) else { return nil }
        return party
    }

    /// Returns the far end in Remote-Party-ID, the form before RFC 3325 that many servers still send; nil if the field names the
    /// user, has no address, or the far end wants none of it shown.
    static func remoteParty(in field: String, isCaller: Bool) -> SIPParty? {
        guard let value = values(of: field).first else { return nil }
        let parameters = value[(value.lastIndex(of: ">") ?? value.startIndex)...].lowercased()
            .filter { $0 != "\"" }.split { "; \t".contains($0) }.map {
                $0.split(separator: "=", maxSplits: 1)
            }
        for parameter in parameters where parameter.count == 2 {
            if parameter[0] == "party", parameter[1] == (isCaller ? "called" : "calling") { return nil }
            if parameter[0] == "privacy", parameter[1] != "off" { return nil }
        }
        return party(value)
    }

    /// Returns the party in From; nil if it has no address.
    static func from(_ field: String) -> SIPParty? {
        let isBracketed = field.contains("<")
        return party(isBracketed ? field[...] : field.prefix { $0 != ";" })
    }

    private static func isSIP(_ party: SIPParty) -> Bool { party.address.lowercased().hasPrefix("sip") }

    private static func hasNumber(_ party: SIPParty) -> Bool {
        !party.user.isEmpty && party.user.allSatisfy { "+0123456789*#-.()".contains($0) }
    }

    /// Splits a field at the commas that are neither in quotes nor in brackets.
    private static func values(of field: String) -> [Substring] {
        var (isQuoted, isEscaped, isBracketed) = (false, false, false)
        return field.split { character in
            defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
            switch character {
            case "\"" where !isBracketed && !isEscaped: isQuoted.toggle()
            case "<" where !isQuoted: isBracketed = true
            case ">" where !isQuoted: isBracketed = false
            default: break
            }
            return character == "," && !isQuoted && !isBracketed
        }
    }

    /// Reads a name and an address (RFC 3261, section 25.1, name-addr or addr-spec).
    private static func party(_ value: Substring) -> SIPParty? {
        let text = value.drop { $0 == " " || $0 == "\t" }
        var name = ""
        var rest = text
        if text.first == "\"" {
            let quoted = text.dropFirst()
            var (isEscaped, isClosed) = (false, false)
            for index in quoted.indices {
                if isEscaped || quoted[index] != "\\" && quoted[index] != "\"" { name.append(quoted[index]) }
                if !isEscaped, quoted[index] == "\"" {
                    rest = quoted[quoted.index(after: index)...]
                    isClosed = true
                    break
                }
                isEscaped = !isEscaped && quoted[index] == "\\"
            }
            guard isClosed else { return nil }
        }
        var address = rest.prefix { $0 != " " && $0 != "\t" }
        if let start = rest.firstIndex(of: "<") {
            if name.isEmpty { name = String(rest[..<start]) }
            address = rest[rest.index(after: start)...].prefix { $0 != ">" }
        }
        guard let plain = plain(address) else { return nil }
        return SIPParty(
            address: plain,
            displayName: Texts.safe(name.split { $0 == " " || $0 == "\t" }.joined(separator: " ")))
    }

    /// Returns an address as it is shown, also `tel:`, which liblinphone 5.3 does not read; nil if invalid.
    private static func plain(_ address: Substring) -> String? {
        if TelephoneAddress.isValid(address) { return String(address) }
        guard address.utf8.count <= maximumLength,
            ["sip:", "sips:"].contains(where: { address.lowercased().hasPrefix($0) }),
            let handle = linphone_factory_create_address(linphone_factory_get(), "<\(address)>")
        else { return nil }
        defer { linphone_address_unref(handle) }
        return SIPParty(handle).address
    }
}
