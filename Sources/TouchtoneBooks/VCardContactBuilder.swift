// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A contact that is put together from the content lines of a vCard, one after the other.
///
/// A line that says more than the contact can show is kept as it was (`ContactCard.rest`), with what the contact has of
/// it: a name with its parts, a number with a label. It is written again as long as the contact still says the same.
struct VCardContactBuilder {
    /// What a line that is kept tells of the contact.
    enum Role: Hashable {
        case name, structuredName, organization, note
        case method(ContactMethod)
        case other
    }

    /// A line that is kept: in the form of version 3 or 4, without folds.
    struct Kept {
        let role: Role
        let text: String
    }

    /// How many lines of a card are read at most.
    static let maximumLines = 1000

    private(set) var formatted: String?
    private(set) var structured: String?
    private(set) var organization: String?
    private(set) var notes: [String] = []
    private(set) var methods: [ContactMethod] = []
    private(set) var photo: [UInt8]?
    /// Where there is a picture, for one that is not in the card.
    private(set) var photoLink: String?
    private(set) var photosLeftOut = 0
    private(set) var kept: [Kept] = []
    /// Whether it is a list of people (Evolution's), and nobody by itself.
    private(set) var isList = false

    private let wantsPhoto: Bool
    private var (nickname, email): (String?, String?) = (nil, nil)
    private var repeated: Set<Role> = []
    private var version = ""
    private var sawPhoto = false
    private var lines = 0
    private var keptBytes = 0
    private var noteLength = 0

    /// Creates a draft of nobody.
    ///
    /// - Parameter wantsPhoto: false only notes that there is a picture.
    init(wantsPhoto: Bool = true) { self.wantsPhoto = wantsPhoto }

    /// Reads a line.
    mutating func add(_ found: ContentLineScanner.Line) {
        lines += 1
        guard lines <= Self.maximumLines else { return }
        let isPhoto = ContentLineHeader(found.bytes)?.name == "PHOTO"
        if isPhoto, !found.isWhole {
            photosLeftOut += 1
            return
        }
        // Of others that are so long the beginning does, and no more is kept.
        let isWhole = found.isWhole && (isPhoto || found.bytes.count <= ContactCard.maximumRestLength)
        let bytes = (isWhole ? found.bytes[...] : found.bytes.prefix(ContactCard.maximumRestLength))
            .filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        let isOld = !version.hasPrefix("3") && !version.hasPrefix("4")
        guard let line = ContentLine(bytes, isOld: isOld) else { return }
        let isVerbatim = !isOld && line.header.isModern
        if let role = take(line), isWhole {
            keep(role, isVerbatim ? String(decoding: bytes, as: UTF8.self) : VCardWriter.text(of: line))
        }
    }

    /// The contact; nil where it has neither a name nor a way.
    func contact() -> NewContact? {
        guard let name else { return nil }
        let card = ContactCard(
            name: name, organization: organization ?? "", methods: methods, note: note, rest: rest(name: name)
        )
        var contact = NewContact(card, photo: photo)
        if !wantsPhoto { contact.card.hasPhoto = sawPhoto }
        return contact
    }

    /// What the contact is called, by the best that is there; nil where there is nothing.
    var name: String? {
        [formatted, structured, nickname, organization, email, methods.first?.text].lazy
            .compactMap { $0 }.first { !$0.isEmpty }
    }

    /// What all notes say.
    var note: String {
        let text = VCardText.trimmed(notes.joined(separator: "\n"))
        return String(text.prefix(ContactCard.maximumNoteLength))
    }

    /// What is kept in the contact, in the order in which it is written.
    ///
    /// The name's own line is, where the one with its
    /// parts cannot tell whether it still fits.
    private func rest(name: String) -> String {
        let hasParts = kept.contains {
            $0.role == .structuredName && isUnusual($0, "N:" + VCardText.structured(name))
        }
        let lines = kept.filter { line in
            // The first of several is kept with the others, or one of those would be taken for it.
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
            // One that is elsewhere gives way to one that is here.
            case .other: photo == nil || ContentLineHeader(Array(line.text.utf8))?.name != "PHOTO"
            }
        }
        let roles: [Role] =
            [.name, .structuredName, .organization] + methods.map(Role.method) + [.note, .other]
        return roles.flatMap { role in lines.filter { $0.role == role } }.map(\.text).joined(separator: "\n")
    }

    /// Whether a line is another than would be written without it.
    private func isUnusual(_ line: Kept, _ usual: String) -> Bool {
        line.text != usual && line.text.uppercased() != usual.uppercased()
    }

    private mutating func keep(_ role: Role, _ text: String) {
        // What was written in another way may be too long for a line.
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
    /// Takes what a line tells; nil where nothing of it is to be kept.
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
        case "X-EVOLUTION-LIST": isList = line.text.uppercased() == "TRUE"
        default: if let method = VCardContactMethod.method(in: line) { return takeMethod(method) }
        }
        return .other
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
