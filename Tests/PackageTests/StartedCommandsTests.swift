// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// On a machine with only the packages of packages.txt, every started command exists.
@Suite struct StartedCommandsTests {
    @Test func everyCommandIsListedInItsGroup() throws {
        let unnamed = try unnamedCommands(in: Repository.root)
        #expect(unnamed == "", "name the package in packages.txt")
    }

    @Test func unlistedCommandIsReported() throws {
        // The names are assembled, so that this file does not start any of them.
        let (child, output) = ("Child", "output")
        let told = try unnamedCommands(
            packages: "display | a | cmd:named,also | reason",
            files: [
                "Tests/Driver/tour.py":
                    "import other\nsession.run('unnamed', 1)\nother.help()\nneed('named', 'a')\n",
                "Tests/Driver/other.py": """
                def help(): subprocess.run(["reached"])
                def never(): spawn([need("also", "a")])
                """,
                "Tests/ATests/A.swift": """
                let child = try \(child)(
                    ["inswift", "x"])
                _ = try \(output)(of: ["also"])
                """,
                "Tests/a.sh": """
                # comment
                x=$(inshell | sort) && also 'quoted; text' # comment
                """,
                "Makefile": "TOOL = inmake\nrun:\n\t@[ -e x ] || $(TOOL) x; named\n",
            ])
        let lines = told.split(separator: "\n").map { $0.components(separatedBy: " is in none")[0] }
        #expect(
            Set(lines) == [
                "Tests/Driver/tour.py:2: unnamed", "Tests/Driver/other.py:1: reached",
                "Tests/ATests/A.swift:1: inswift", "Tests/a.sh:2: inshell", "Makefile:3: inmake",
                "Makefile:3: named",
            ])
    }

    /// A command that only the tests use may be in the group `test`; the tour runs before that group is installed.
    @Test func tourNeedsNoTestPackages() throws {
        let packages = "test | a | cmd:helper | reason"
        let tour = "import other\nother.begin()\n"
        let helper = "def begin(): pass\ndef rest(): session.run('helper')\n"
        #expect(
            try unnamedCommands(
                packages: packages, files: ["Tests/Driver/tour.py": tour, "Tests/Driver/other.py": helper])
                == "")
        let told = try unnamedCommands(
            packages: packages,
            files: ["Tests/Driver/tour.py": tour + "other.rest()\n", "Tests/Driver/other.py": helper])
        #expect(
            told == "Tests/Driver/other.py:2: helper is in none of the groups swift, build, run, display\n")
    }

    private func unnamedCommands(packages: String, files: [String: String]) throws -> String {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        let all = ["Makefile": "", "data/packaging/packages.txt": packages].merging(files) { $1 }
        for (path, text) in all {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return try unnamedCommands(in: root)
    }

    private func unnamedCommands(in root: URL) throws -> String {
        let program = Repository.root.appendingPathComponent("Tests/Tools/started_commands.py").path
        return try output(of: ["/usr/bin/python3", "-B", program, root.path])
    }
}
