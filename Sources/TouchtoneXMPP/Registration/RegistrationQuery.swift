// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The requests for an account (XEP-0077 section 3.1).
enum RegistrationQuery {
    static let namespace = "jabber:iq:register"

    static var request: XMLElement { XMLElement("query", namespace) }

    static func submission(_ form: RegistrationForm) -> XMLElement {
        let answers = form.form.submission
        guard form.isPlain else { return XMLElement("query", namespace, [:], [answers]) }
        let fields = answers.children.map { field in
            XMLElement(field["var"] ?? "", namespace, text: field.children.first?.text ?? "")
        }
        return XMLElement("query", namespace, [:], fields)
    }
}

extension RegistrationForm {
    /// Reads the form in a server's answer; returns nil if there is none, or it has too many fields.
    ///
    /// A data form (XEP-0004) counts before the fields of XEP-0077 itself. What the server shows, also the address of its
    /// page, is that of its own answer alone.
    init?(_ query: XMLElement) {
        guard query.isNamed("query", RegistrationQuery.namespace) else { return nil }
        let data = query.child("x", DataForm.namespace)
        guard let form = data.map({ RoomForm($0) }) ?? PlainFields.form(in: query) else { return nil }
        let elements = data?.children("field") ?? []
        let required = elements.filter { $0.child("required") != nil }.compactMap { $0["var"] }
        let pictures = RegistrationPictures(query)
        let words = query.child("instructions").map { PlainText.line($0.text, maximum: 500) } ?? ""
        self.init(
            RoomForm(
                instructions: form.instructions.isEmpty ? words : form.instructions,
                fields: form.fields.map(Self.field)),
            required: Set(data == nil ? form.fields.map(\.name) : required),
            page: Self.page(in: query, elements), isPlain: data == nil, pictures: pictures.files,
            asksForMore: pictures.lacksSome)
    }

    /// The address of the page for people, which only counts with `https` (XEP-0066, XEP-0158 section 3.3).
    private static func page(in query: XMLElement, _ fields: [XMLElement]) -> String {
        let addresses =
            query.children("x", OutOfBandData.namespace).compactMap { $0.child("url")?.text }
            + fields.filter { $0["var"] == "captcha-fallback-url" }.compactMap { $0.child("value")?.text }
        return addresses.prefix(10).lazy.compactMap { WebAddress($0)?.text }.first ?? ""
    }

    /// Returns a field with a label in the user's language, and an empty password, which would not be seen.
    private static func field(_ field: RoomForm.Field) -> RoomForm.Field {
        var answer = field.answer
        if field.name == passwordField {
            switch answer {
            case .line, .secret: answer = .secret("")
            case .note, .toggle, .lines, .one, .any, .hidden: break
            }
        }
        return RoomForm.Field(field.name, label: PlainFields.label(of: field.name) ?? field.label, answer)
    }
}

/// The fields that XEP-0077 names, all of which a server requires if it names them without a data form.
private enum PlainFields {
    private static let names = [
        "username", "password", "nick", "name", "first", "last", "email", "address", "city", "state", "zip",
        "phone", "url", "date", "misc", "text",
    ]

    /// Returns the form of the fields in a query; nil if there are none and no address of a page.
    static func form(in query: XMLElement) -> RoomForm? {
        let elements = query.children.filter { $0.namespace == RegistrationQuery.namespace }
        var fields = names.filter { name in elements.contains { $0.name == name } }.map { name in
            RoomForm.Field(name, label: name, name == "password" ? .secret("") : .line(""))
        }
        guard !fields.isEmpty || query.child("x", OutOfBandData.namespace) != nil else { return nil }
        // The server expects its key again.
        if let key = query.child("key")?.text, key.utf8.count <= RoomForm.maximumLength {
            fields.append(RoomForm.Field("key", label: "", .hidden([key])))
        }
        return RoomForm(fields: fields)
    }

    static func label(of name: String) -> String? {
        switch name {
        case "username": localized("User Name")
        case "password": localized("Password")
        case "nick": localized("Nickname")
        case "name": localized("Name")
        case "email": localized("Email")
        default: nil
        }
    }
}
