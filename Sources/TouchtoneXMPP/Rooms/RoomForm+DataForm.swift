// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// Forms of rooms, read from and written as data forms (XEP-0004).
extension RoomForm {
    /// The greatest number of fields: a form with more is refused.
    static let maximumFields = 100
    /// The greatest number of options of a field, and of the lines of an answer.
    static let maximumValues = 100
    /// The greatest length of a text that can be edited, in UTF-8 bytes.
    static let maximumLength = 2000

    /// Reads a form to fill in; returns nil if it is not one, or has too many fields.
    ///
    /// A field that cannot be edited without damage, such as one with a huge value, is hidden, so that the room receives
    /// it as it was. Only the first of several fields with the same name counts.
    init?(_ form: XMLElement) {
        guard form.isNamed("x", DataForm.namespace), form["type"] == "form" else { return nil }
        let all = form.children("field")
        guard all.count <= Self.maximumFields else { return nil }
        var names: Set<String> = []
        let fields = all.compactMap { Self.field($0) }.filter {
            $0.name.isEmpty || names.insert($0.name).inserted
        }
        let instructions = form.children("instructions").prefix(10).map {
            PlainText.line($0.text, maximum: 500)
        }
        self.init(instructions: instructions.joined(separator: "\n"), fields: fields)
    }

    var submission: XMLElement {
        XMLElement("x", DataForm.namespace, ["type": "submit"], fields.compactMap(\.element))
    }

    private static func field(_ element: XMLElement) -> Field? {
        let values = element.children("value").map(\.text)
        let name = element["var"] ?? ""
        let label = PlainText.line(element["label"] ?? "")
        if element["type"] == "fixed" {
            let text = PlainText.line(values.prefix(10).joined(separator: " "), maximum: 500)
            return text.isEmpty ? nil : Field("", label: text, .note)
        }
        guard !name.isEmpty, name.utf8.count <= maximumLength else { return nil }
        let isSmall = values.count <= maximumValues && values.allSatisfy { $0.utf8.count <= maximumLength }
        let answer = isSmall ? answer(element["type"], values, options(of: element)) : nil
        return Field(name, label: label.isEmpty ? PlainText.line(name) : label, answer ?? .hidden(values))
    }

    /// Returns the answer that can be edited; nil if the field is hidden, or its values don't fit its type.
    private static func answer(_ type: String?, _ values: [String], _ options: [Option]?) -> Answer? {
        let value = values.first ?? ""
        switch type {
        case "hidden": return nil
        case "boolean":
            guard values.count <= 1, ["", "0", "1", "false", "true"].contains(value) else { return nil }
            return .toggle(value == "1" || value == "true")
        case "list-single":
            guard values.count <= 1, let options else { return nil }
            return .one(value, of: including(values, in: options))
        case "list-multi":
            guard let options else { return nil }
            return .any(Set(values), of: including(values, in: options))
        case "text-multi", "jid-multi": return values.contains(where: hasBreak) ? nil : .lines(values)
        default:
            // Unknown types count as a line of text (XEP-0004 section 3.3).
            guard values.count <= 1, !hasBreak(value) else { return nil }
            return type == "text-private" ? .secret(value) : .line(value)
        }
    }

    /// Returns whether a text has characters that a field for a line of text would change.
    private static func hasBreak(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 || $0.value == 0x2029 }
    }

    /// Returns the options of a field; nil if there are too many, or one is too long.
    private static func options(of element: XMLElement) -> [Option]? {
        let all = element.children("option")
        guard all.count <= maximumValues else { return nil }
        var known: Set<String> = []
        let options = all.compactMap { option -> Option? in
            guard let value = option.child("value")?.text, known.insert(value).inserted else { return nil }
            let label = PlainText.line(option["label"] ?? "")
            return Option(value, label: label.isEmpty ? PlainText.line(value) : label)
        }
        return options.allSatisfy { $0.value.utf8.count <= maximumLength } ? options : nil
    }

    /// Returns options that include the present values, which would be lost otherwise.
    private static func including(_ values: [String], in options: [Option]) -> [Option] {
        let known = Set(options.map(\.value))
        let missing = values.filter { !known.contains($0) && !$0.isEmpty }
        return options + missing.map { Option($0, label: PlainText.line($0)) }
    }
}

extension RoomForm.Field {
    /// The field to submit; nil for a note.
    fileprivate var element: XMLElement? {
        let values: [String]
        switch answer {
        case .note: return nil
        case .toggle(let isOn): values = [isOn ? "1" : "0"]
        case .line(let text), .secret(let text): values = [text]
        case .lines(let lines): values = lines
        case .one(let value, _): values = value.isEmpty ? [] : [value]
        case .any(let chosen, let options): values = options.map(\.value).filter { chosen.contains($0) }
        case .hidden(let all): values = all
        }
        let isType = name == "FORM_TYPE"
        return XMLElement(
            "field", DataForm.namespace, ["var": name, "type": isType ? "hidden" : nil],
            values.map { XMLElement("value", DataForm.namespace, text: $0) })
    }
}
