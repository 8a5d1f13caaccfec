// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the forms for new accounts, with hostile ones.
@Suite struct RegistrationFormTests {
    @Test func namedFieldsAreReadAndSentBack() throws {
        var form = try #require(
            RegistrationForm(
                query([
                    part("instructions", "Choose\na name."), part("username"), part("password", "known"),
                    part("email"), part("key", "k1"), part("registered"), part("unknown"),
                ])))
        #expect(form.form.instructions == "Choose a name.")
        #expect(form.form.fields.map(\.name) == ["username", "password", "email", "key"])
        #expect(form["password"] == "" && form.canBeSent && form.page.isEmpty)
        #expect(form.missing?.name == "username")
        (form["username"], form["password"], form["email"]) = ("ada", "s", "ada@example.org")
        #expect(form.missing == nil)
        let sent = RegistrationQuery.submission(form)
        #expect(sent.children.map(\.name) == ["username", "password", "email", "key"])
        #expect(sent.children.map(\.text) == ["ada", "s", "ada@example.org", "k1"])
        #expect(sent.children.allSatisfy { $0.namespace == RegistrationQuery.namespace })
    }

    @Test func dataFormCountsBeforeNamedFields() throws {
        var form = try #require(
            RegistrationForm(
                query([
                    part("username"), part("password"),
                    data([name, password, field("age", isRequired: true)]),
                ])))
        #expect(!form.isPlain && form.canBeSent)
        #expect(form.form.fields.dropFirst().map(\.label) == ["User Name", "Password", "age"])
        (form["username"], form["password"]) = ("ada", "s")
        #expect(form.missing?.name == "age", "the server requires it")
        form["age"] = "36"
        let answer = try #require(RegistrationQuery.submission(form).child("x", DataForm.namespace))
        #expect(answer["type"] == "submit")
        let values = answer.children.map { "\($0["var"] ?? "")=\($0.child("value")?.text ?? "")" }
        #expect(values == ["FORM_TYPE=jabber:iq:register", "username=ada", "password=s", "age=36"])
    }

    /// A page is for people, and only `https` counts.
    @Test(arguments: [
        ("https://example.org/new", "https://example.org/new"), ("http://example.org/new", ""),
        ("javascript:alert(1)", ""), ("https://example.org@evil.example/", ""), ("file:///etc/passwd", ""),
        ("https://example.org/" + String(repeating: "x", count: 10_000), ""),
    ])
    func pageIsOfferedOnlyWithHTTPS(address: String, expected: String) throws {
        let link = XMLElement(
            "x", OutOfBandData.namespace, [:], [XMLElement("url", OutOfBandData.namespace, text: address)])
        let form = try #require(RegistrationForm(query([part("instructions", "On our page."), link])))
        #expect(form.page == expected && !form.canBeSent && form.form.instructions == "On our page.")
        let picture = XMLElement("media", "urn:xmpp:media-element")
        let captcha = try #require(
            RegistrationForm(
                query([
                    data([
                        name, password, field("ocr", [picture], isRequired: true),
                        field(
                            "captcha-fallback-url", [XMLElement("value", DataForm.namespace, text: address)]),
                    ])
                ])))
        #expect(captcha.page == expected && !captcha.canBeSent)
    }

    /// As ejabberd sends it: the picture is in the answer, and an address in its place counts for nothing.
    @Test(arguments: [
        ("cid:sha1+a@bob.xmpp.org", "image/png", "iVBO\nRw==", true),
        ("cid:sha1+b@bob.xmpp.org", "image/png", "iVBORw==", false),
        ("https://example.org/captcha.png", "image/png", "iVBORw==", false),
        ("cid:sha1+a@bob.xmpp.org", "audio/wav", "iVBORw==", false),
        ("cid:sha1+a@bob.xmpp.org", "image/png", "?", false),
        ("cid:sha1+a@bob.xmpp.org", "image/png", String(repeating: "AAAA", count: 100_000), false),
    ])
    func pictureToReadIsInTheAnswer(address: String, type: String, content: String, isShown: Bool) throws {
        let uri = XMLElement("uri", "urn:xmpp:media-element", ["type": type], text: address)
        let picture = XMLElement(
            "data", "urn:xmpp:bob", ["cid": "sha1+a@bob.xmpp.org", "type": "image/png"], text: content)
        let media = XMLElement("media", "urn:xmpp:media-element", [:], [uri])
        var form = try #require(
            RegistrationForm(
                query([data([name, password, field("ocr", [media], isRequired: true)]), picture])))
        #expect(form.canBeSent == isShown)
        #expect(form.pictures == (isShown ? ["ocr": [0x89, 0x50, 0x4E, 0x47]] : [:]))
        (form["username"], form["password"]) = ("ada", "s")
        #expect(form.missing?.name == "ocr")
    }

    @Test func onlyFormsOfLimitedSizeAreRead() throws {
        #expect(RegistrationForm(query([])) == nil)
        #expect(RegistrationForm(XMLElement("query", "jabber:iq:other", [:], [part("username")])) == nil)
        #expect(RegistrationForm(query([data((0..<5_000).map { field("f\($0)") })])) == nil)
        let huge = String(repeating: "x", count: 200_000)
        let form = try #require(
            RegistrationForm(
                query([part("instructions", huge), part("username"), part("password"), part("key", huge)])))
        #expect(form.form.instructions.utf8.count < 600 && form.form.fields.count == 2)
        let many = (0..<3_000).map { _ in part("username") }
        #expect(RegistrationForm(query(many))?.form.fields.count == 1)
        // A password of the server's own would not be seen; a name that can't be changed makes no form.
        let value = XMLElement("value", DataForm.namespace, text: "known")
        let known = try #require(RegistrationForm(query([data([name, field("password", [value])])])))
        #expect(known["password"] == "" && known.canBeSent)
        let fixed = try #require(
            RegistrationForm(query([data([field("username", [value], type: "hidden"), password])])))
        #expect(!fixed.canBeSent)
    }

    // MARK: - Helpers

    private var name: XMLElement { field("username", isRequired: true) }
    private var password: XMLElement { field("password", isRequired: true, type: "text-private") }

    private func query(_ parts: [XMLElement]) -> XMLElement {
        XMLElement("query", RegistrationQuery.namespace, [:], parts)
    }

    private func part(_ name: String, _ text: String = "") -> XMLElement {
        XMLElement(name, RegistrationQuery.namespace, text: text)
    }

    private func data(_ fields: [XMLElement]) -> XMLElement {
        let value = XMLElement("value", DataForm.namespace, text: RegistrationQuery.namespace)
        return XMLElement(
            "x", DataForm.namespace, ["type": "form"], [field("FORM_TYPE", [value], type: "hidden")] + fields)
    }

    private func field(
        _ name: String, _ parts: [XMLElement] = [], isRequired: Bool = false, type: String = "text-single"
    ) -> XMLElement {
        let all = parts + (isRequired ? [XMLElement("required", DataForm.namespace)] : [])
        return XMLElement("field", DataForm.namespace, ["var": name, "type": type], all)
    }
}
