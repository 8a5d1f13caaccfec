// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the forms of rooms, with hostile ones.
@Suite struct RoomFormTests {
    private static let type = "http://jabber.org/protocol/muc#roomconfig"

    @Test func commonFieldsAreReadAndWritten() throws {
        var form = try #require(
            RoomForm(
                form([
                    field("FORM_TYPE", "hidden", [Self.type]), field("", "fixed", ["About"]),
                    field("name", "text-single", ["Tea"]), field("public", "boolean", ["1"]),
                    field("secret", "text-private", ["scone"]),
                    field("whois", "list-single", ["anyone"], options: ["moderators", "anyone"]),
                    field("show", "list-multi", ["a"], options: ["a", "b"]),
                    field("owners", "jid-multi", ["ada@localhost", "alan@localhost"]),
                    field("odd", "x-unknown", ["1"]),
                ])))
        let options = ["moderators", "anyone"].map { RoomForm.Option($0, label: $0) }
        let letters = ["a", "b"].map { RoomForm.Option($0, label: $0) }
        let answers: [RoomForm.Answer] = [
            .hidden([Self.type]), .note, .line("Tea"), .toggle(true), .secret("scone"),
            .one("anyone", of: options), .any(["a"], of: letters),
            .lines(["ada@localhost", "alan@localhost"]), .line("1"),
        ]
        #expect(form.fields.map(\.answer) == answers)
        form.fields[2].answer = .line("Coffee")
        form.fields[3].answer = .toggle(false)
        form.fields[6].answer = .any(["a", "b"], of: letters)
        let sent = values(form.submission)
        #expect(form.submission["type"] == "submit")
        #expect(sent["FORM_TYPE"] == [Self.type] && sent["name"] == ["Coffee"] && sent["public"] == ["0"])
        #expect(sent["show"] == ["a", "b"] && sent["whois"] == ["anyone"] && sent["secret"] == ["scone"])
        #expect(sent["owners"] == ["ada@localhost", "alan@localhost"] && sent[""] == nil)
    }

    @Test func onlyFormsOfLimitedSizeAreRead() {
        #expect(RoomForm(form([], type: "result")) == nil)
        #expect(RoomForm(XMLElement("x", "jabber:x:other", ["type": "form"])) == nil)
        let many = { (count: Int) in form((0..<count).map { field("f\($0)", "text-single", []) }) }
        #expect(RoomForm(many(RoomForm.maximumFields))?.fields.count == RoomForm.maximumFields)
        #expect(RoomForm(many(RoomForm.maximumFields + 1)) == nil)
        #expect(RoomForm(many(5_000)) == nil)
    }

    /// Values that a widget would change are sent as they were.
    @Test(arguments: [
        ("text-single", [String(repeating: "x", count: 1_000_000)]), ("text-single", ["a", "b"]),
        ("text-single", ["a\nb"]), ("boolean", ["banana"]), ("boolean", ["1", "0"]),
        ("text-multi", (0..<5_000).map { "\($0)" }), ("list-single", ["a", "b"]),
        ("jid-multi", ["a\u{2028}b"]), ("hidden", ["", "x"]),
    ])
    func uneditableValuesAreKept(type: String, values: [String]) throws {
        let form = try #require(RoomForm(form([field("f", type, values)])))
        #expect(form.fields.map(\.answer) == [.hidden(values)])
        #expect(self.values(form.submission)["f"] == values)
    }

    @Test func hostileOptionsAndNamesAreBounded() throws {
        let thousands = (0..<5_000).map { "\($0)" }
        let form = try #require(
            RoomForm(
                form([
                    field("many", "list-single", ["3"], options: thousands),
                    field("gone", "list-single", ["c"], options: ["a", "a"]),
                    field("gone", "boolean", ["1"]), field("", "boolean", ["1"]),
                    field(String(repeating: "n", count: 100_000), "boolean", ["1"]),
                    field("label", "boolean", [], label: String(repeating: "l\u{202e}\n", count: 100_000)),
                ])))
        #expect(form.fields.map(\.name) == ["many", "gone", "label"])
        #expect(form.fields[0].answer == .hidden(["3"]))
        // A value that is not among the options can stay.
        #expect(form.fields[1].answer == .one("c", of: ["a", "c"].map { RoomForm.Option($0, label: $0) }))
        #expect(form.fields[2].label.count <= 201)
        #expect(!form.fields[2].label.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\n" })
    }

    private func form(_ fields: [XMLElement], type: String = "form") -> XMLElement {
        XMLElement("x", DataForm.namespace, ["type": type], fields)
    }

    private func field(
        _ name: String, _ type: String, _ values: [String], options: [String] = [], label: String? = nil
    ) -> XMLElement {
        let value = { (text: String) in XMLElement("value", DataForm.namespace, text: text) }
        return XMLElement(
            "field", DataForm.namespace, ["var": name, "type": type, "label": label],
            values.map(value) + options.map { XMLElement("option", DataForm.namespace, [:], [value($0)]) })
    }

    private func values(_ form: XMLElement) -> [String: [String]] {
        let fields = form.children("field").map { ($0["var"] ?? "", $0.children("value").map(\.text)) }
        return Dictionary(fields) { first, _ in first }
    }
}
