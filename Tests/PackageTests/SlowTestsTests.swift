// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Tests of `make slow-tests`, which lists the slowest tests in the logs of the last run.
@Suite struct SlowTestsTests {
    @Test func slowestTestsOfAllLogsComeFirst() throws {
        let list = try slowest([
            "one": """
            Test Case 'ATests.testQuick' passed (0.5 seconds)
            Test Case 'ATests.testSlow' failed (12.25 seconds)
            Test Suite 'ATests' passed at 2026-01-01 00:00:00.000
                 Executed 2 tests, with 0 failures (0 unexpected) in 12.75 (12.75) seconds
            """,
            "two": """
            ✔ Test isQuick() passed after 0.001 seconds.
            ✘ Test takes(_:) with 3 test cases failed after 7.5 seconds with 1 issue.
            ✔ Suite BTests passed after 99.0 seconds.
            ✔ Test run with 2 tests in 1 suite passed after 99.0 seconds.
            """,
        ])
        #expect(
            list == [
                "    12.2  ATests.testSlow  (one)", "     7.5  takes(_:)  (two)",
                "     0.5  ATests.testQuick  (one)",
            ])
    }

    @Test func missingLogsAreExplained() {
        #expect(throws: ProgramFailure.self) { try slowest([:]) }
    }

    private func slowest(_ logs: [String: String]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in logs {
            try text.write(
                to: folder.appendingPathComponent("\(name).log"), atomically: true, encoding: .utf8)
        }
        let program = Repository.root.appendingPathComponent("Tests/Tools/slow_tests.py").path
        return try output(of: ["/usr/bin/python3", "-B", program, folder.path, "3"])
            .split(separator: "\n").map(String.init)
    }
}
