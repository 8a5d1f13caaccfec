// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// Tests of a machine on which no bare Debian can be set up: the toolchain for it is missing, or namespaces are not allowed.
@Suite struct BareDebianTests {
    @Test(arguments: ["bookworm", "trixie"]) func explainsFailedSetupInOneLineAndRunsNothing(
        _ release: String
    )
        throws
    {
        let result = try Script(
            "Tests/bare.sh", ["--release", release, "echo", "it runs"], environment: ["SWIFT": "/nonexistent"]
        )
        #expect(result.status == 125)
        #expect(result.said.hasPrefix("Cannot set up a bare Debian: "))
        #expect(result.said.split(separator: "\n").count == 1)
    }

    @Test(arguments: [["--release", "lenny", "true"], ["--release", "sid"], ["--release"], []])
    func explainsItsUseForWrongArguments(_ arguments: [String]) throws {
        let result = try Script("Tests/bare.sh", arguments, environment: [:])
        #expect(result.status == 2)
        #expect(result.said.hasPrefix("bare.sh [--release RELEASE]"))
    }

    @Test(arguments: [0, 2]) func fallsBackToMakeTest(_ status: Int32) throws {
        let make = "echo \"make $*\"; echo '12 passed, \(status) failed'; exit \(status)"
        let result = try Script.withCommands(["make": make, "unshare": "exit 1"]) { folder in
            try Script.withCheckout { checkout in
                try Script(
                    path: "\(checkout)/.ci/run", [], environment: ["PATH": "\(folder):/usr/bin:/bin"])
            }
        }
        #expect(result.status == min(status, 1), "\(result.said)")
        let lines = result.said.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("Cannot set up a bare Debian: ") } == 3)
        #expect(lines.count { $0 == "make test" } == 1)
        #expect(lines.contains("Debian-13: left out") && lines.contains("Debian-unstable: left out"))
        #expect(lines.last == "12 passed, \(status) failed")
    }

    /// Each system is tried, though the one before it fails; failed tests are named with what they said, and all are counted.
    @Test func failureOfOneSystemIsReportedWithTheOthers() throws {
        let bare = """
            case $2 in
                trixie)
                    for number in 1 2; do
                        echo "/src/DoorTests.swift:4: error: DoorTests.testOpens : it stays shut"
                        echo "Test Case 'DoorTests.testOpens' failed (0.1 seconds)"
                        echo '✘ Test opens(_:) with 2 test cases failed after 0.1 seconds with 1 issue.'
                        echo '✘ Test run with 4 tests failed after 0.1 seconds with 1 issue.'
                    done
                    echo '3 passed, 2 failed'
                    exit 2 ;;
                bookworm)
                    echo '  ✗ DIAL  [555-0104]'
                    echo '      expected RINGING'
                    seq 20
                    echo 'make: *** [Makefile:47: run] Error 2'
                    echo '4 passed, 0 failed'
                    exit 1 ;;
                *) echo 'no mirror' >&2; exit 125 ;;
            esac
            """
        let result = try Script.withCheckout { checkout in
            try bare.write(toFile: "\(checkout)/Tests/bare.sh", atomically: true, encoding: .utf8)
            return try Script(path: "\(checkout)/.ci/run", [], environment: [:])
        }
        #expect(result.status == 1)
        let said = result.said.split(separator: "\n")
        let results = said.suffix(from: try #require(said.firstIndex(of: "== Results")))
        #expect(
            results.dropFirst().first?.hasPrefix("Debian-12: FAILED after 0 min ") == true, "\(result.said)")
        #expect(results.dropFirst(2).first?.hasPrefix("Debian-13: FAILED after 0 min ") == true)
        let lastLines =
            (14...20).map { "Debian-12: \($0)" } + ["Debian-12: make: *** [Makefile:47: run] Error 2"]
        #expect(
            results.dropFirst(3).map(String.init) == [
                "Debian-unstable: left out", "Debian-12:   ✗ DIAL  [555-0104]",
                "Debian-12:       expected RINGING",
            ] + lastLines + [
                "Debian-13: DoorTests.testOpens",
                "Debian-13: opens(_:) with 2 test cases",
                "Debian-13: /src/DoorTests.swift:4: error: DoorTests.testOpens : it stays shut",
                "7 passed, 2 failed",
            ])
    }
}
