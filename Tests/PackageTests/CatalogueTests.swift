// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@Suite struct CatalogueTests {
    private static let languages: [String] = {
        let list = (try? Repository.text(of: "data/po/LINGUAS")) ?? ""
        return list.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map(String.init)
    }()

    @Test(arguments: languages)
    func languageIsComplete(_ language: String) throws {
        let template = Catalogue(try Repository.text(of: "data/po/touchtone.pot"))
        let catalogue = Catalogue(try Repository.text(of: "data/po/\(language).po"))
        #expect(catalogue.header.contains("Language: \(language)\\n"))
        #expect(template.entries.count > 1000)
        for fault in CatalogueRules.faults(in: catalogue, for: template) {
            Issue.record("\(language): \(fault)")
        }
    }

    /// The keys stand beside each other, and END hangs up the other call.
    @Test(arguments: languages)
    func keysThatEndCallsDiffer(_ language: String) throws {
        let catalogue = Catalogue(try Repository.text(of: "data/po/\(language).po"))
        let words = ["HANG UP", "END", "DECLINE"].map { key in
            catalogue.entries.first { $0.text.text == key }?.translations.first
        }
        #expect(Set(words).count == 3, "\(words)")
    }

    /// Tests that each translation that is supplied is installed.
    @Test func languagesAreListed() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appendingPathComponent("data/po").path)
        let supplied = files.filter { $0.hasSuffix(".po") }.map { String($0.dropLast(3)) }
        #expect(supplied.sorted() == Self.languages)
    }

    @Test func listIsRead() {
        let list = """
            msgid ""
            msgstr ""
            "Language: x\\n"
            "Plural-Forms: nplurals=3; plural=(n==0 ? 0 : n==1 ? 1 : 2);\\n"

            #: a.swift b.swift
            #: c.swift
            #, fuzzy, python-brace-format
            msgctxt "c"
            msgid "{a}"
            msgstr "{a}!"

            msgid ""
            "a\\n"
            "b"
            msgid_plural "as"
            msgstr[0] "0"
            msgstr[1] "1"
            msgstr[2] "2"

            #~ msgid "obsolete"
            #~ msgstr "x"
            """
        let catalogue = Catalogue(list)
        #expect(
            catalogue.texts == [.init(context: "c", text: "{a}"), .init(text: "a\\nb", plural: "as")])
        #expect(catalogue.entries.map(\.translations) == [["{a}!"], ["0", "1", "2"]])
        #expect(catalogue.entries.map(\.isFuzzy) == [true, false])
        #expect(catalogue.entries[0].places == ["a.swift", "b.swift", "c.swift"])
        #expect(catalogue.pluralForms == 3 && catalogue.formsOfOneNumber == 2)
    }

    /// Tests that each damage to a list is found.
    @Test(arguments: [
        ("msgstr \"Hallo {name}\"", "msgstr \"Hallo\"", "placeholders"),
        ("msgstr \"Hallo {name}\"", "msgstr \"Hallo {nom}\"", "placeholders"),
        ("msgstr \"Hallo {name}\"", "msgstr \"\"", "not translated"),
        ("#, python-brace-format\nmsgid \"Hello", "#, fuzzy, python-brace-format\nmsgid \"Hello", "fuzzy"),
        ("msgid \"Hello {name}\"", "msgid \"Hi {name}\"", "is missing"),
        ("msgid \"Hello {name}\"", "msgid \"Hi {name}\"", "no text of the program"),
        ("msgstr[0] \"Ein Ton\"\n", "", "plural forms"),
        ("msgstr[1] \"{count} Töne\"", "msgstr[1] \"Töne\"", "placeholders"),
        ("msgstr \"_Öffnen…\"", "msgstr \"_Öffnen\"", "ends differently"),
        ("msgstr \"_Öffnen…\"", "msgstr \"Öffnen…\"", "0 access keys"),
        ("msgstr \"_Öffnen…\"", "msgstr \"_Öf_fnen…\"", "2 access keys"),
        ("msgstr \"_Öffnen…\"", "msgstr \"Öf_fnen…\"", "share"),
        ("msgstr \"WAHL\"", "msgstr \"ANWÄHLEN…\"", "ends differently"),
        ("msgstr \"WAHL\"", "msgstr \"WÄHLVORGANGS\"", "12 columns"),
        ("msgstr \"WAHL\"", "msgstr \"電話をかける\"", "12 columns"),
        ("msgstr \"_Finden\"", "msgstr \"Ein _Fenster öffnen, in dem man findet\"", "columns"),
    ])
    func damageIsReported(_ right: String, _ wrong: String, _ reported: String) {
        let template = Catalogue(Self.sample)
        #expect(CatalogueRules.faults(in: template, for: template) == [])
        let damaged = Self.sample.replacingOccurrences(of: right, with: wrong)
        #expect(damaged != Self.sample)
        let faults = CatalogueRules.faults(in: Catalogue(damaged), for: template)
        let wanted = reported == "share" ? "2 texts with the access key f" : reported
        #expect(faults.contains { $0.contains(wanted) }, "\(faults)")
    }

    @Test func missingNumberIsReportedUnlessFormStandsForIt() {
        let of = "{count} new in {name}"
        #expect(CatalogueRules.faults(of: "Neu in {name}", for: of, mayLackCount: true) == [])
        #expect(CatalogueRules.faults(of: "Neu", for: of, mayLackCount: true).count == 1)
        #expect(CatalogueRules.faults(of: "Neu in {name}", for: of).count == 1)
    }

    @Test(arguments: [("DIAL", 4), ("発信", 4), ("_Öffnen", 6), ("開く(_O)…", 5), ("سِجِلّ", 3), ("ﾀﾞｲﾔﾙ", 5)])
    func widthIsCounted(_ text: String, _ columns: Int) {
        #expect(CatalogueRules.columns(of: text) == columns)
    }

    /// Tests that msgfmt, which compiles the translations, accepts each of them, and no damaged one.
    @Test func msgfmtAcceptsLanguages() throws {
        let root = Repository.root.appendingPathComponent("data/po")
        for language in Self.languages {
            #expect(throws: Never.self) { try compile(root.appendingPathComponent("\(language).po")) }
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID()).po")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.sample.write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: Never.self) { try compile(file) }
        try Self.sample.replacingOccurrences(of: "Hallo {name}", with: "Hallo {nom}").write(
            to: file, atomically: true, encoding: .utf8)
        #expect(throws: ProgramFailure.self) { try compile(file) }
    }

    private func compile(_ file: URL) throws {
        _ = try output(of: ["msgfmt", "--check", "--output-file=/dev/null", file.path])
    }

    private static let sample = """
        msgid ""
        msgstr ""
        "Content-Type: text/plain; charset=UTF-8\\n"
        "Language: de\\n"
        "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

        #: a.ui
        #, python-brace-format
        msgid "Hello {name}"
        msgstr "Hallo {name}"

        #: a.ui
        #, python-brace-format
        msgid "{count} tone"
        msgid_plural "{count} tones"
        msgstr[0] "Ein Ton"
        msgstr[1] "{count} Töne"

        #: a.ui
        msgid "_Open…"
        msgstr "_Öffnen…"

        #: a.ui
        msgid "_Find"
        msgstr "_Finden"

        #: b.swift
        msgid "DIAL"
        msgstr "WAHL"

        """
}
