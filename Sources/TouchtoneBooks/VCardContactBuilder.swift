// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A builder that assembles a contact from the content lines of a vCard.
///
/// A line that says more than the contact can show is preserved unchanged (`ContactCard.rest`), with its meaning for
/// the contact: a name with its parts, a number with a label. It is exported again as long as the contact still has the
/// same value.
struct VCardContactBuilder {
    /// The meaning of a preserved line for the contact.
    enum Role: Hashable {
        case name, structuredName, organization, note
        case method(ContactMethod)
        case other
    }

    /// A preserved line in the form of version 3.0 or 4.0, without folds.
    struct Kept {
        let role: Role
        let text: String
    }

    static let maximumLines = 1000

    private(set) var formatted: String?
    private(set) var structured: String?
    private(set) var organization: String?
    private(set) var notes: [String] = []
    private(set) var methods: [ContactMethod] = []
    private(set) var photo: [UInt8]?
    /// The link to a picture that is not in the card.
    private(set) var photoLink: String?
    private(set) var photosLeftOut = 0
    /// Whether a text is in a character set that is not supported.
    private(set) var hasUnknownCharset = false
    private(set) var kept: [Kept] = []
    /// Whether the card is a list of contacts, and not a person: a group of RFC 6350, Apple's or Evolution's.
    private(set) var isList = false

    private let wantsPhoto: Bool
    private var (nickname, email): (String?, String?) = (nil, nil)
    private var repeated: Set<Role> = []
    private var version = ""
    private var sawPhoto = false
    private var lines = 0
    private var keptBytes = 0
    private var noteLength = 0

    /// Without `wantsPhoto`, the contact only records that there is a picture.
    init(wantsPhoto: Bool = true) { self.wantsPhoto = wantsPhoto }

    mutating func add(_ found: ContentLineScanner.Line) {
        lines += 1
        guard lines <= Self.maximumLines else { return }
        let header = ContentLineHeader(found.bytes)
        let isPhoto = header?.name == "PHOTO"
        if isPhoto, !found.isWhole {
            photosLeftOut += 1
            return
        }
        // Of any other line of that length, the beginning is enough, and the line is not preserved.
        let isWhole = found.isWhole && (isPhoto || found.bytes.count <= ContactCard.maximumRestLength)
        let bytes = (isWhole ? found.bytes[...] : found.bytes.prefix(ContactCard.maximumRestLength))
            .filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || isShift($0) && header?.isStateful == true }
        let isOld = !version.hasPrefix("3") && !version.hasPrefix("4")
        guard let line = ContentLine(bytes, isOld: isOld) else { return }
        if line.hasUnknownCharset { hasUnknownCharset = true }
        let isVerbatim = !isOld && line.header.isModern
        if let role = take(line), isWhole {
            keep(role, isVerbatim ? String(decoding: bytes, as: UTF8.self) : VCardWriter.text(of: line))
        }
    }

    /// Whether a control character switches between the characters of ISO 2022: ESC, SO or SI.
    private func isShift(_ byte: UInt8) -> Bool { [0x1B, 0x0E, 0x0F].contains(byte) }

    /// Returns the contact, or nil if it has neither a name nor a contact method.
    func contact() -> NewContact? {
        guard let name else { return nil }
        let card = ContactCard(
            name: name, organization: organization ?? "", methods: methods, note: note, rest: rest(name: name)
        )
        var contact = NewContact(card, photo: photo)
        if !wantsPhoto { contact.card.hasPhoto = sawPhoto }
        return contact
    }

    /// The best available name of the contact, or nil if there is none.
    var name: String? {
        [formatted, structured, nickname, organization, email, methods.first?.text].lazy
            .compactMap { $0 }.first { !$0.isEmpty }
    }

    var note: String {
        let text = VCardText.trimmed(notes.joined(separator: "\n"))
        return String(text.prefix(ContactCard.maximumNoteLength))
    }

    /// Returns the lines to preserve in the contact, in the order in which they are exported.
    ///
    /// The line with the formatted name is preserved if the line with its parts alone cannot show whether it still
    /// matches.
    private func rest(name: String) -> String {
        let hasParts = kept.contains {
            $0.role == .structuredName && isUnusual($0, "N:" + VCardText.structured(name))
        }
        let lines = kept.filter { line in
            // Of repeated lines the first is preserved too; otherwise another one would take its place on export.
            if repeated.contains(line.role) { return true }
            return switch line.role {
            case .name:
                isUnusual(line, "FN:" + VCardText.escaped(name)) || hasParts && structured != name
            case .structuredName: isUnusual(line, "N:" + VCardText.structured(name))
            case .organization: isUnusual(line, "ORG:" + VCardText.escaped(organization ?? ""))
            case .note: notes.count > 1 || isUnusual(line, "NOTE:" + VCardText.escaped(note))
            case .method(let method):
                VCardVersion.allCases.allSatisfy {
                    isUnusual(line, VCardContactMethod.line(method, version: $0))
                }
            // A linked picture is replaced by an embedded one.
            case .other: photo == nil || ContentLineHeader(Array(line.text.utf8))?.name != "PHOTO"
            }
        }
        let roles: [Role] =
            [.name, .structuredName, .organization] + methods.map(Role.method) + [.note, .other]
        return roles.flatMap { role in lines.filter { $0.role == role } }.map(\.text).joined(separator: "\n")
    }

    /// Returns whether a line differs from the one that would be exported without it.
    private func isUnusual(_ line: Kept, _ usual: String) -> Bool {
        line.text != usual && line.text.uppercased() != usual.uppercased()
    }

    private mutating func keep(_ role: Role, _ text: String) {
        // A converted line may exceed the length of a line.
        guard keptBytes + text.utf8.count < ContactCard.maximumRestLength,
            ContentLineHeader(Array(text.utf8)) != nil
        else {
            return
        }
        keptBytes += text.utf8.count + 1
        kept.append(Kept(role: role, text: text))
    }
}

extension VCardContactBuilder {
    /// Adds the values of a line to the contact, and returns the line's meaning, or nil if it need not be preserved.
    private mutating func take(_ line: ContentLine) -> Role? {
        switch line.name {
        case "BEGIN", "END": return nil
        case "VERSION":
            version = VCardText.trimmed(line.text)
            return nil
        case "FN": return takeFirst(line.text, of: \.formatted, .name)
        case "N": return takeFirst(VCardText.name(ofParts: line.values), of: \.structured, .structuredName)
        case "NICKNAME": _ = takeFirst(line.text, of: \.nickname, .other)
        case "EMAIL": _ = takeFirst(line.text, of: \.email, .other)
        case "ORG":
            let parts = line.values.map(VCardText.trimmed).filter { !$0.isEmpty }
            return takeFirst(parts.joined(separator: ", "), of: \.organization, .organization)
        case "NOTE":
            if noteLength < ContactCard.maximumNoteLength {
                notes.append(String(line.text.prefix(ContactCard.maximumNoteLength - noteLength)))
                noteLength += notes.last?.count ?? 0
            }
            return .note
        case "PHOTO": return takePhoto(line)
        case "KIND", "X-ADDRESSBOOKSERVER-KIND": if isWord("GROUP", line) { isList = true }
        case "X-EVOLUTION-LIST": if isWord("TRUE", line) { isList = true }
        default: if let method = VCardContactMethod.method(in: line) { return takeMethod(method) }
        }
        return .other
    }

    private func isWord(_ word: String, _ line: ContentLine) -> Bool {
        VCardText.trimmed(line.text).uppercased() == word
    }

    private mutating func takeFirst(_ text: String, of field: WritableKeyPath<Self, String?>, _ role: Role)
        -> Role
    {
        let text = VCardText.line(text)
        guard self[keyPath: field] == nil, !text.isEmpty else {
            if !text.isEmpty, role != .other { repeated.insert(role) }
            return .other
        }
        self[keyPath: field] = text
        return role
    }

    private mutating func takeMethod(_ method: ContactMethod) -> Role? {
        if !methods.contains(method), methods.count < ContactCard.maximumMethods { methods.append(method) }
        return .method(method)
    }

    private mutating func takePhoto(_ line: ContentLine) -> Role? {
        sawPhoto = true
        guard wantsPhoto else { return nil }
        switch VCardPhoto.reading(line) {
        case .link(let link):
            photoLink = link
            return .other
        case .photo(let bytes) where photo == nil: photo = bytes
        default: photosLeftOut += 1
        }
        return nil
    }
}
