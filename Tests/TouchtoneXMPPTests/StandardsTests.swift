// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneXMPP

/// Tests that the table of standards in the manual, the DOAP file and service discovery say the same, and that a test
/// covers each line.
@Suite struct StandardsTests {
    /// A row of a table in the manual.
    private struct Line {
        let section: String
        let cells: [String]

        func cell(_ index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }
    }

    /// The lines of XEP-0479 (2023) for clients: Core and IM at both levels, and those of Mobile that apply.
    private static let suites: KeyValuePairs<String, [String]> = [
        "Core": [
            "RFC 6120 basic", "RFC 7590 basic", "XEP-0368 advanced", "XEP-0030 basic", "XEP-0115 basic",
            "XEP-0163 advanced",
        ],
        "IM": [
            "RFC 6121 basic", "XEP-0245 basic", "XEP-0084 advanced", "XEP-0398 advanced", "XEP-0153 advanced",
            "XEP-0054 basic", "XEP-0280 basic", "XEP-0191 advanced", "XEP-0045 basic", "XEP-0249 basic",
            "XEP-0048 advanced", "XEP-0313 advanced", "XEP-0402 advanced", "XEP-0410 advanced",
            "XEP-0223 advanced", "XEP-0049 advanced", "XEP-0198 advanced", "XEP-0184 advanced",
            "XEP-0313 advanced", "XEP-0085 advanced", "XEP-0308 advanced", "XEP-0363 basic",
            "XEP-0234 advanced", "XEP-0261 advanced",
        ], "Mobile": ["XEP-0198 basic", "XEP-0352 basic"],
    ]

    @Test func tableHasEachLineOfTheSuites() throws {
        let lines = try Self.lines()
        for (name, expected) in Self.suites {
            let found = lines.filter { $0.section == name }.map { "\($0.cell(1)) \($0.cell(2))" }
            #expect(found == expected, "\(name)")
        }
    }

    @Test func supportedStandardsAreThoseOfDOAP() throws {
        let doap = try Self.text(of: "data/io.github.touchtone.Touchtone.doap")
        for line in try Self.lines() where line.section != "Promises to other clients" {
            let standard = line.cell(1).lowercased()
            let isListed =
                doap.contains("/\(standard).html")
                || doap.contains("/\(standard.replacing(" ", with: "")).html")
            #expect(isListed == (line.cell(3) != "no"), "\(line.cells)")
            #expect(["yes", "partly", "no"].contains(line.cell(3)), "\(line.cells)")
        }
    }

    /// The tables have only what users or other clients notice; the text below them names the other standards.
    @Test func standardsOfTheTextAreThoseOfDOAP() throws {
        let doap = try Self.text(of: "data/io.github.touchtone.Touchtone.doap")
        // Push notifications, and two kinds of files that Touchtone leaves alone.
        let others: Set = ["XEP-0357", "XEP-0367", "XEP-0448"]
        for line in try Self.text(of: "docs/standards.md").split(separator: "\n") where !line.hasPrefix("|") {
            // An item of what is not supported names that before its reason.
            let reason = line.hasPrefix("- XEP-") ? line.firstIndex(of: ":") : line.startIndex
            for match in line.matches(of: /XEP-\d{4}/) {
                let isExpected = reason.map { match.range.lowerBound >= $0 } ?? false
                let isListed = doap.contains("/\(match.output.lowercased()).html")
                #expect(isListed == (isExpected && !others.contains(String(match.output))), "\(line)")
            }
        }
    }

    /// Other clients rely on advertised features such as room invitations, and assume that the user sees them.
    @Test func onlyImplementedFeaturesAreAdvertised() throws {
        let doap = try Self.text(of: "data/io.github.touchtone.Touchtone.doap")
        let promises = try Self.lines().filter { $0.section == "Promises to other clients" }
        #expect(OwnCapabilities.info.features == Set(promises.map { $0.cell(0) }))
        for promise in promises {
            #expect(doap.contains("/\(promise.cell(1).lowercased()).html"), "\(promise.cells)")
        }
    }

    @Test func eachLineNamesItsTest() throws {
        let tests = try Self.tests()
        for line in try Self.lines() {
            guard line.cells.dropFirst().contains("no") == false else { continue }
            let name = line.cells.last?.split(separator: ".").map { String($0) } ?? []
            let suite = name.count == 2 ? tests[name[0]] : nil
            #expect(suite?.contains("func \(name.last ?? "")(") == true, "\(line.cells)")
        }
    }

    // MARK: - Helpers

    /// Returns the rows of the tables in the manual, without the code marks.
    private static func lines() throws -> [Line] {
        var (section, lines): (String, [Line]) = ("", [])
        for line in try text(of: "docs/standards.md").split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            guard line.hasPrefix("| "), !line.hasPrefix("| ---"), !line.hasPrefix("| feature ") else {
                continue
            }
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
            lines.append(Line(section: section, cells: cells))
        }
        return lines
    }

    /// Returns the text of the files with tests, by the name of the suite, which two modules may share.
    private static func tests() throws -> [String: String] {
        var tests: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.folder)/Tests")
        where path.hasSuffix("Tests.swift") {
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            tests[name, default: ""] += try text(of: "Tests/\(path)")
        }
        return tests
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOfFile: "\(Checkout.folder)/\(path)", encoding: .utf8)
    }
}
