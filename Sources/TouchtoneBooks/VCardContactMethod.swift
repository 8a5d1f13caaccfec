// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

enum VCardContactMethod {
    /// Returns the contact method in a line, or nil if there is none.
    static func method(in line: ContentLine) -> ContactMethod? {
        let text = VCardText.line(line.text)
        guard !text.isEmpty else { return nil }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let label = label(of: line)
        switch (line.name, scheme) {
        case ("TEL", "tel"), ("TEL", "callto"): return number(ofLink: line.text, label: label)
        case ("TEL", "sip"), ("TEL", "sips"), ("IMPP", "sip"), ("IMPP", "sips"):
            return ContactMethod(.sip, text, label: label)
        case ("TEL", _): return ContactMethod(.number, text, label: label)
        // The escapes of a link may take more space than the text.
        case ("IMPP", "xmpp"): return address(ofLink: line.text, label: label)
        case ("IMPP", _): return method(ofService: line, text: text, label: label)
        case ("X-SIP", _): return ContactMethod(.sip, sip(text), label: label)
        case ("X-JABBER", "xmpp"): return address(ofLink: text, label: label)
        // A text that cannot be part of an `xmpp:` link is not a valid address.
        case ("X-JABBER", _): return address(ofLink: XMPPURI(text, .open).text, label: label)
        default: return nil
        }
    }

    /// Returns the address in a line that names its service in place of a scheme (an Apple extension, and RFC 9554).
    private static func method(ofService line: ContentLine, text: String, label: ContactMethod.Label)
        -> ContactMethod?
    {
        guard !text.contains(":") else { return nil }
        let services = ["X-SERVICE-TYPE", "SERVICE-TYPE"].flatMap { line.header.words(of: $0) }
        if services.contains("SIP") { return ContactMethod(.sip, sip(text), label: label) }
        guard services.contains(where: { ["XMPP", "JABBER", "GOOGLETALK"].contains($0) }) else { return nil }
        return address(ofLink: XMPPURI(text, .open).text, label: label)
    }

    /// Returns a contact method as a line of the given version, without folds.
    static func line(_ method: ContactMethod, version: VCardVersion) -> String {
        let label =
            switch method.label {
            case .other: ""
            case .home: ";TYPE=HOME"
            case .work: ";TYPE=WORK"
            case .mobile: ";TYPE=CELL"
            case .fax: ";TYPE=FAX"
            }
        switch (method.kind, version) {
        case (.number, _): return "TEL\(label):\(VCardText.escaped(method.text))"
        // Fewer programs read the IMPP lines of RFC 4770 for version 3.0 than the older X-SIP and X-JABBER lines.
        case (.sip, .three): return "X-SIP\(label):\(VCardText.escaped(sip(method.text)))"
        case (.xmpp, .three): return "X-JABBER\(label):\(VCardText.escaped(method.text))"
        case (.sip, .four): return "IMPP\(label):\(sip(method.text))"
        case (.xmpp, .four): return "IMPP\(label):\(XMPPURI(method.text, .open).text)"
        }
    }

    private static func sip(_ text: String) -> String {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        return VCardText.line(scheme == "sip" || scheme == "sips" ? text : "sip:" + text)
    }

    private static func label(of line: ContentLine) -> ContactMethod.Label {
        let types = Set(line.header.words(of: "TYPE"))
        // A fax or mobile number of a company has the type WORK as well, but the more specific label is more useful.
        if types.contains("FAX") { return .fax }
        if types.contains("CELL") || types.contains("MOBILE") || types.contains("IPHONE") { return .mobile }
        if types.contains("HOME") { return .home }
        return types.contains("WORK") ? .work : .other
    }

    /// Returns the number in a `tel:` link as it is written, with its extension.
    ///
    /// A number that other parameters change, such as its context, is written with digits alone (RFC 3966).
    private static func number(ofLink text: String, label: ContactMethod.Label) -> ContactMethod? {
        let link = VCardText.trimmed(text)
        var number = VCardText.line(String(link.drop { $0 != ":" }.dropFirst().prefix { $0 != ";" }))
        if let whole = try? TelURI(link).number, .number(whole) != DialledNumber.read(number) {
            let parts = whole.text.split(separator: ";", maxSplits: 1).map(String.init)
            let isExtension =
                parts.count == 2 && parts[1].allSatisfy(\.isNumber)
                && DialledNumber.read(number) == DialledNumber(parts[0]).map { .number($0) }
            number = isExtension ? "\(number) ext. \(parts[1])" : whole.text
        }
        return number.isEmpty ? nil : ContactMethod(.number, number, label: label)
    }

    private static func address(ofLink text: String, label: ContactMethod.Label) -> ContactMethod? {
        guard let link = try? XMPPURI(VCardText.trimmed(text)) else { return nil }
        return ContactMethod(.xmpp, VCardText.line(link.address), label: label)
    }
}
