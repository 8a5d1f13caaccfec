// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

@Suite struct TranslationTests {
    /// A literal that xgettext reads differently than Swift is missing from the list.
    @Test func everyTextIsListedForTranslators() throws {
        let listed = Catalogue(try Repository.text(of: "data/po/touchtone.pot")).texts
        var count = 0
        for file in try Repository.files(in: "Sources", extensions: ["swift"]) {
            let (texts, wrong) = TranslationRules.read(file.text)
            count += texts.count
            for line in wrong {
                Issue.record("\(file.path):\(line): takes plain literals, and is kept in no static let")
            }
            // A singular may be in the list with the plural of another place.
            for text in texts where !listed.contains(text) && !listed.contains(where: { $0.holds(text) }) {
                Issue.record("\(file.path): “\(text.text)” is not in data/po/touchtone.pot; run make pot")
            }
        }
        #expect(count > 0)
    }

    @Test(arguments: [
        #"localized("a\nb \"c\" “d”", ["x": y])"#, "localized(\n    \"a\"\n)", #"localizedIn("a", "b")"#,
        #"f(localizedPlural("a", "b", count(c)))"#,
    ])
    func plainLiteralIsRead(_ call: String) {
        let (texts, wrong) = TranslationRules.read("let x = 1\n\(call)\n")
        #expect(texts.count == 1 && wrong == [])
    }

    @Test(arguments: [
        #"localized("a \(b)")"#, ##"localized(#"a"#)"##, "localized(\"\"\"\n  a\n  \"\"\")",
        #"localized("\u{2068}")"#, #"localized("a" + "b")"#, "localized(a)", #"localized(a ? "b" : "c")"#,
        #"localizedIn("a", b)"#, #"localizedPlural("a", b ? "c" : "d", 1)"#, #"localizedIn("a")"#,
        #"localized("")"#, #"static let a = localized("b")"#,
    ])
    func otherExpressionIsReported(_ call: String) {
        let (texts, wrong) = TranslationRules.read("let x = 1\n\(call)\n")
        #expect(texts == [] && wrong == [2])
    }

    @Test func definitionsAndCommentsAreIgnored() {
        let (texts, wrong) = TranslationRules.read(
            "public func localized(_ text: StaticString)\n/// `localized(_:)`\n// localized(a)\nunlocalized(b)\n"
        )
        #expect(texts == [] && wrong == [])
    }

    /// Tests that translations reach the catalogue, the desktop entry and the metainfo.
    @Test func languageIsInstalled() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let share = folder.appendingPathComponent("share")
        let po = folder.appendingPathComponent("data/po")
        for name in ["applications", "metainfo"] {
            try FileManager.default.createDirectory(
                at: share.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(at: po, withIntermediateDirectories: true)
        let id = "io.github.touchtone.Touchtone"
        for path in ["data/\(id).desktop", "data/\(id).metainfo.xml", "data/po/install.sh"] {
            try FileManager.default.copyItem(
                at: Repository.root.appendingPathComponent(path), to: folder.appendingPathComponent(path))
        }
        try "# a comment\nxx\n".write(
            to: po.appendingPathComponent("LINGUAS"), atomically: true, encoding: .utf8)
        try """
        msgid ""
        msgstr "Content-Type: text/plain; charset=UTF-8\\n"

        msgid "Telephone"
        msgstr "Xx Telephone"

        msgid "Calls and messages on a desk phone"
        msgstr "Xx numbers"

        """.write(to: po.appendingPathComponent("xx.po"), atomically: true, encoding: .utf8)
        let result = try Script(
            path: po.appendingPathComponent("install.sh").path, [share.path], environment: [:])
        #expect(result.status == 0, "\(result.said)")
        let text = { (path: String) in
            try String(decoding: Data(contentsOf: share.appendingPathComponent(path)), as: UTF8.self)
        }
        #expect(try text("applications/\(id).desktop").contains("\nGenericName[xx]=Xx Telephone\n"))
        #expect(
            try text("metainfo/\(id).metainfo.xml").contains("<summary xml:lang=\"xx\">Xx numbers</summary>"))
        #expect(try text("locale/xx/LC_MESSAGES/touchtone.mo").contains("Xx Telephone"))
    }
}

extension TranslationRules.Text {
    fileprivate func holds(_ other: Self) -> Bool {
        context == other.context && text == other.text && other.plural == nil
    }
}
