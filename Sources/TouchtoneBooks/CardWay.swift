// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// The ways of a contact in the lines of a vCard.
enum CardWay {
    /// The way that a line tells; nil where it tells none.
    static func way(in line: ContentLine) -> ContactWay? {
        let text = CardText.line(line.text)
        guard !text.isEmpty else { return nil }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let place = place(of: line)
        switch (line.name, scheme) {
        case ("TEL", "tel"): return number(ofLink: line.text, place: place)
        case ("TEL", "sip"), ("TEL", "sips"), ("IMPP", "sip"), ("IMPP", "sips"):
            return ContactWay(.sip, text, place: place)
        case ("TEL", _): return ContactWay(.number, text, place: place)
        // Of a link's escapes there may be more than of what they say.
        case ("IMPP", "xmpp"): return address(ofLink: line.text, place: place)
        case ("X-SIP", _): return ContactWay(.sip, sip(text), place: place)
        case ("X-JABBER", "xmpp"): return address(ofLink: text, place: place)
        // What is no address that can be told in a link is none here.
        case ("X-JABBER", _): return address(ofLink: XMPPURI(text, .open).text, place: place)
        default: return nil
        }
    }

    /// A way as a line of that version, without folds.
    static func line(_ way: ContactWay, version: VCardVersion) -> String {
        let place =
            switch way.place {
            case .other: ""
            case .home: ";TYPE=HOME"
            case .work: ";TYPE=WORK"
            case .mobile: ";TYPE=CELL"
            case .fax: ";TYPE=FAX"
            }
        switch (way.kind, version) {
        case (.number, _): return "TEL\(place):\(CardText.escaped(way.text))"
        // What RFC 4770 has for version 3 is read by fewer programs than what was there before.
        case (.sip, .three): return "X-SIP\(place):\(CardText.escaped(sip(way.text)))"
        case (.xmpp, .three): return "X-JABBER\(place):\(CardText.escaped(way.text))"
        case (.sip, .four): return "IMPP\(place):\(sip(way.text))"
        case (.xmpp, .four): return "IMPP\(place):\(XMPPURI(way.text, .open).text)"
        }
    }

    private static func sip(_ text: String) -> String {
        let text = text.hasPrefix("sip:") || text.hasPrefix("sips:") ? text : "sip:" + text
        return CardText.line(text)
    }

    private static func place(of line: ContentLine) -> ContactWay.Place {
        let types = Set(line.header.words(of: "TYPE"))
        // A fax machine at work is no place to call; a mobile of the firm's is somebody's mobile.
        if types.contains("FAX") { return .fax }
        if types.contains("CELL") || types.contains("MOBILE") || types.contains("IPHONE") { return .mobile }
        if types.contains("HOME") { return .home }
        return types.contains("WORK") ? .work : .other
    }

    /// RFC 3966: what comes after a semicolon is of no use to a phone that dials digits.
    private static func number(ofLink text: String, place: ContactWay.Place) -> ContactWay? {
        let number = CardText.line(
            String(CardText.trimmed(text).dropFirst("tel:".count).prefix { $0 != ";" }))
        return number.isEmpty ? nil : ContactWay(.number, number, place: place)
    }

    private static func address(ofLink text: String, place: ContactWay.Place) -> ContactWay? {
        guard let link = try? XMPPURI(CardText.trimmed(text)) else { return nil }
        return ContactWay(.xmpp, CardText.line(link.address), place: place)
    }
}
