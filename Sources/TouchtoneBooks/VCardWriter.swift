// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A writer of contacts as vCards (RFC 2426, RFC 6350).
enum VCardWriter {
    static func write(_ contact: NewContact, version: VCardVersion, to file: inout [UInt8]) {
        let card = clean(contact.card)
        var rest = VCardContactBuilder()
        // Preserved lines are in the form of the imported file, in which the version comes first.
        rest.add(ContentLineScanner.Line(bytes: Array("VERSION:4.0".utf8)))
        for line in card.rest.utf8.split(separator: 0x0A) {
            rest.add(ContentLineScanner.Line(bytes: Array(line)))
        }
        let photo = contact.photo.flatMap { VCardPhoto.line($0, version: version) }
        for line in lines(of: card, rest: rest, version: version) {
            // A linked picture has been replaced by an embedded one.
            if photo != nil, ContentLineHeader(Array(line.utf8))?.name == "PHOTO" { continue }
            append(line, to: &file)
        }
        if let photo { append(photo, to: &file) }
        append("END:VCARD", to: &file)
    }

    /// Returns the card with single-line values, so that a line break in a value cannot begin a new property.
    private static func clean(_ card: ContactCard) -> ContactCard {
        var card = card
        card.name = VCardText.line(card.name)
        card.organization = VCardText.line(card.organization)
        card.methods = card.methods.map { ContactMethod($0.kind, VCardText.line($0.text), label: $0.label) }
            .filter { !$0.text.isEmpty }
        return card
    }

    private static func lines(of card: ContactCard, rest: VCardContactBuilder, version: VCardVersion)
        -> [String]
    {
        let kept = { (role: VCardContactBuilder.Role) in rest.kept.filter { $0.role == role }.map(\.text) }
        let (names, parts) = (kept(.name), kept(.structuredName))
        // A line with name parts belongs to the name line beside it, or to the name that the parts themselves form.
        let isSameName = (names.isEmpty ? rest.structured : rest.formatted) == card.name
        var lines = ["BEGIN:VCARD", "VERSION:\(version.rawValue)"]
        lines += isSameName && !names.isEmpty ? names : ["FN:" + VCardText.escaped(card.name)]
        lines += isSameName && !parts.isEmpty ? parts : ["N:" + VCardText.structured(card.name)]
        lines += property(
            "ORG", card.organization, kept: rest.organization == card.organization ? kept(.organization) : [])
        for method in card.methods {
            let preserved = kept(.method(method))
            lines += preserved.isEmpty ? [VCardContactMethod.line(method, version: version)] : preserved
        }
        lines += property("NOTE", card.note, kept: rest.note == card.note ? kept(.note) : [])
        return lines + kept(.other).map { version == .four ? withoutEncoding($0) : $0 }
    }

    private static func property(_ name: String, _ value: String, kept: [String]) -> [String] {
        kept.isEmpty && !value.isEmpty ? ["\(name):" + VCardText.escaped(value)] : kept
    }

    /// Returns a line in the form of version 3.0, from its parsed parts.
    static func text(of line: ContentLine) -> String {
        let header = line.header
        var text = header.group.isEmpty ? line.name : "\(header.group).\(line.name)"
        for parameter in header.parameters where parameter.name != "CHARSET" {
            if parameter.name == "ENCODING", !header.isBase64 { continue }
            // Version 2.1 spells the encoding out.
            let source = parameter.name == "ENCODING" ? ["b"] : parameter.values
            let values = source.map { value in
                let value = VCardText.line(String(value.filter { $0 != "\"" }))
                return value.contains(where: { ":;,".contains($0) }) ? "\"\(value)\"" : value
            }
            text += ";\(parameter.name)=\(values.joined(separator: ","))"
        }
        let values = line.values.map { value in
            !header.isBase64 ? VCardText.escaped(value) : value.filter { $0 != " " && $0 != "\t" }
        }
        return text + ":" + values.joined(separator: line.name == "CATEGORIES" ? "," : ";")
    }

    /// Converts the `ENCODING=b` of version 3.0 to the data link of version 4.0 (RFC 6350, 5.9 and A.2).
    private static func withoutEncoding(_ text: String) -> String {
        guard let header = ContentLineHeader(Array(text.utf8)), header.isBase64 else { return text }
        let start = header.valueStart
        let parts = text.utf8.prefix(start - 1).split(separator: UInt8(ascii: ";"))
            .map { String(decoding: $0, as: UTF8.self) }
        let left = parts.filter { part in
            !["ENCODING=", "TYPE=", "VALUE="].contains { part.uppercased().hasPrefix($0) }
        }
        return left.joined(separator: ";") + ":data:application/octet-stream;base64,"
            + String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
    }

    /// Folds a line at 75 bytes, never within a character (RFC 6350, 3.2).
    private static func append(_ line: String, to file: inout [UInt8]) {
        var rest = Array(line.utf8)[...]
        var room = 75
        while rest.count > room {
            var end = rest.startIndex + room
            while end > rest.startIndex + 1, rest[end] & 0xC0 == 0x80 { end -= 1 }
            file += rest[..<end]
            file += [0x0D, 0x0A, 0x20]
            rest = rest[end...]
            room = 74
        }
        file += rest
        file += [0x0D, 0x0A]
    }
}
