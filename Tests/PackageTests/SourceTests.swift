// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@Suite struct SourceTests {
    private static let code: Set<String> = ["swift", "c", "cc", "h"]

    @Test func everySourceNamesItsLicense() throws {
        for folder in ["Sources", "Tests"] {
            let extensions = folder == "Tests" ? ["swift"] : Self.code
            for file in try Repository.files(in: folder, extensions: extensions) {
                #expect(file.lines.prefix(2).contains { $0.contains(SourceRules.license) }, "\(file.path)")
            }
        }
    }

    @Test func everyFileIsShortEnough() throws {
        for file in try Repository.files(in: "Sources", extensions: Self.code) {
            #expect(file.lines.count <= SourceRules.maximumFileLength, "\(file.path)")
        }
    }

    /// The pool of libdispatch, once used, wakes the machine every second while the program runs; `BackgroundThread`
    /// does not.
    @Test func noSourceUsesLibdispatchThreads() throws {
        for file in try Repository.files(in: "Sources", extensions: ["swift"]) where file.module != "tonegen"
        {
            #expect(!file.text.contains("DispatchQueue("), "\(file.path)")
            #expect(!file.text.contains("DispatchQueue.global"), "\(file.path)")
        }
    }

    @Test func unsafeCodeGivesItsReason() throws {
        for file in try Repository.files(in: "Sources", extensions: ["swift"]) {
            for line in SourceRules.unexplained(in: file.text) {
                Issue.record("\(file.path):\(line): needs a comment with the reason")
            }
        }
    }

    @Test func documentationCommentsNameTheirSubject() throws {
        for folder in ["Sources", "Tests"] {
            for file in try Repository.files(in: folder, extensions: ["swift"]) {
                for line in SourceRules.headless(in: file.lines) {
                    Issue.record("\(file.path):\(line): start with a noun or a verb")
                }
            }
        }
        #expect(
            SourceRules.headless(in: ["/// What it is.", "    /// Creates it.", "/// A value."]) == [1, 2])
    }

    @Test(arguments: SourceRules.needingReason)
    func reasonMayStandBesideOrAbove(_ code: String) {
        #expect(SourceRules.unexplained(in: "let a = 1\n    x \(code) y") == [2])
        #expect(SourceRules.unexplained(in: "x \(code) \"https://example.org\"") == [1])
        #expect(SourceRules.unexplained(in: "// because\n\nx \(code) y") == [3])
        #expect(SourceRules.unexplained(in: "// because\nx \(code) y") == [])
        #expect(SourceRules.unexplained(in: "x \(code) y  // because") == [])
        #expect(SourceRules.unexplained(in: "let a = 1\n// never \(code)") == [])
    }

    @Test(.disabled(if: TestLength.areSourcesTested)) func formatterReportsNothing() throws {
        let formatter = Process()
        formatter.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        formatter.arguments = [
            "swift", "format", "lint", "--strict", "-r", "Sources", "Tests", "Package.swift",
        ]
        formatter.currentDirectoryURL = Repository.root
        let pipe = Pipe()
        formatter.standardError = pipe
        try formatter.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        formatter.waitUntilExit()
        #expect(formatter.terminationStatus == 0, "\(said)")
    }
}
