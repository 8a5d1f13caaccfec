// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneBooks
import TouchtoneCore
import XCTest

/// Tests that independent programs can read the written vCards.
final class OtherReadersTests: XCTestCase {
    func testVobjectReadsBothVersions() async throws {
        try await expectReading(.three, by: vobject("vobject"))
        // It does not know the links of version 4.
        try await expectReading(.four, by: vobject("vobject"), photos: false)
    }

    func testEvolutionReadsVersion3() async throws {
        try await expectReading(.three, by: vobject("evolution"))
    }

    func testEZVCardReadsBothVersionsWithoutWarnings() async throws {
        let libraries = ["bsh", "ez-vcard", "vinnie"].map { "/usr/share/java/\($0).jar" }
        let script = "\(Checkout.folder)/Tests/Tools/read_vcards.bsh"
        for version in VCardVersion.allCases {
            try await expectReading(
                version, by: ["java", "-cp", libraries.joined(separator: ":"), "bsh.Interpreter", script])
        }
    }

    private func vobject(_ parser: String) -> [String] {
        ["/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/read_vcards.py", parser]
    }

    private func expectReading(_ version: VCardVersion, by command: [String], photos: Bool = true)
        async throws
    {
        let contacts = [
            NewContact(
                ContactCard(
                    name: "Grace Hopper, \"Zoë\" 日本",
                    methods: [
                        ContactMethod(.number, "+1 555", label: .mobile),
                        ContactMethod(.number, "2", label: .fax),
                    ],
                    note: "a\nb; c, d\\e " + String(repeating: "ü", count: 100))),
            NewContact(ContactCard(name: "Ada", rest: "BDAY:1815-12-10\nTEL;TYPE=HOME,VOICE:9"), photo: jpeg),
            NewContact(ContactCard(name: "Photo"), photo: png + Array(repeating: 9, count: 300)),
        ]
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID()).vcf")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(await vCards.write(contacts, version: version)).write(to: file)
        let said: String
        do { said = try output(of: command + [file.path]) } catch {
            // It is missing, or cannot read that version.
            if !Peer.isRequired, !isInstalled(command) { throw XCTSkip("\(command) is missing") }
            throw error
        }
        let cards = said.split(separator: "\n").map {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [Any] ?? []
        }
        XCTAssertEqual(cards.map { $0.first as? String }, contacts.map(\.card.name))
        XCTAssertEqual(
            cards.map { $0[1] as? [String] },
            contacts.map { $0.card.methods.filter { $0.kind == .number }.map(\.text) })
        XCTAssertEqual(cards.map { $0[2] as? String }, contacts.map(\.card.note))
        guard photos else { return }
        XCTAssertEqual(cards.map { $0[3] as? [Int] }, contacts.map { $0.photo.map { [$0.count] } ?? [] })
    }

    private func isInstalled(_ command: [String]) -> Bool {
        let probe =
            command[0] == "java" ? command + ["/dev/null"] : [command[0], "-c", "import vobject, gi"]
        return (try? output(of: probe)) != nil
    }
}
