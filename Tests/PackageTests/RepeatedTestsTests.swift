// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// Tests of failed tests that run again, with a test program that stands for the real one.
@Suite struct RepeatedTestsTests {
    /// The behaviour of the test program at its first run and at the next one.
    struct Runs: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first = failed + ended
        var next = "exit 0"
        var repeats = true
        let status: Int32
        let end: String

        static let failed = "echo \"Test Case 'DoorTests.testOpens' failed (0.1 seconds)\"; "
        static let ended = "echo \"Test Suite 'Selected tests' failed at 12:00\"; exit 1"
    }

    @Test(arguments: [
        Runs(testDescription: "a test that passes alone", status: 0, end: "1 passed, 0 failed"),
        Runs(testDescription: "without a repetition", repeats: false, status: 1, end: "0 passed, 1 failed"),
        Runs(
            testDescription: "a test that fails again", next: "exit 1", status: 1, end: "0 passed, 1 failed"),
        Runs(
            testDescription: "a crash after a failed test", first: Runs.failed + "kill -SEGV $$", status: 1,
            end: "0 passed, 1 failed"),
        Runs(testDescription: "a crash", first: "kill -SEGV $$", status: 1, end: "0 passed, 1 failed"),
        Runs(
            testDescription: "too many failed tests",
            first: (1...4).map { "echo \"Test Case 'DoorTests.test\($0)' failed (0.1 seconds)\"; " }.joined()
                + Runs.ended,
            status: 1, end: "0 passed, 4 failed"),
    ])
    func failedTestsRunAgainAlone(_ runs: Runs) throws {
        let result = try Script.withCheckout { checkout in
            try Self.writeProgram(
                """
                case $1 in
                    --list-tests)
                        for test in testOpens test1 test2 test3 test4; do echo "PackageTests.DoorTests/$test"; done ;;
                    PackageTests.DoorTests/testOpens) \(runs.next) ;;
                    *) \(runs.first) ;;
                esac
                """, in: checkout)
            return try Script(
                path: "\(checkout)/Tests/run.sh", ["peers-2"],
                environment: ["SWIFT": "true", "TOUCHTONE_REPEAT": runs.repeats ? "1" : ""])
        }
        #expect(result.status == runs.status, "\(result.said)")
        #expect(result.said.split(separator: "\n").last.map(String.init) == runs.end, "\(result.said)")
        let isNamed = result.said.contains(
            "Failed by chance, passed alone: PackageTests.DoorTests/testOpens\n")
        #expect(isNamed == (runs.status == 0))
    }

    /// A row that could not end before the deadline does not begin, and is named.
    @Test(arguments: [(seconds: 60, isRun: false), (seconds: 3600, isRun: true)])
    func rowWithoutTimeIsLeftOut(_ deadline: (seconds: Int, isRun: Bool)) throws {
        let result = try Script.withCheckout { checkout in
            try Self.writeProgram(
                """
                case $1 in
                    --list-tests) echo PackageTests.DoorTests/testOpens ;;
                    *) echo "Test Case 'DoorTests.testOpens' passed (0.1 seconds)" ;;
                esac
                """, in: checkout)
            let end = Int(Date().timeIntervalSince1970) + deadline.seconds
            return try Script(
                path: "\(checkout)/Tests/run.sh", ["peers-2"],
                environment: ["SWIFT": "true", "TOUCHTONE_DEADLINE": "\(end)"])
        }
        #expect(result.status == 0, "\(result.said)")
        let lines = result.said.split(separator: "\n").map(String.init)
        #expect(lines.contains("Rows left out, there was no time: peers-2") == !deadline.isRun)
        #expect(lines.last == "\(deadline.isRun ? 1 : 0) passed, 0 failed")
    }

    /// Writes a test program that runs shell commands.
    private static func writeProgram(_ commands: String, in checkout: String) throws {
        let folder = "\(checkout)/.build/debug"
        let path = "\(folder)/touchtonePackageTests.xctest"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "#!/bin/sh\n\(commands)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
}
