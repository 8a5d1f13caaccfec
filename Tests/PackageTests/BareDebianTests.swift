// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

/// Tests of a machine on which no bare Debian can be set up; here the toolchain for it is missing.
@Suite struct BareDebianTests {
    @Test func explainsFailedSetupInOneLineAndRunsNothing() throws {
        let result = try Script("Tests/bare.sh", ["echo", "it runs"], environment: ["SWIFT": "/nonexistent"])
        #expect(result.status == 125)
        #expect(result.said.hasPrefix("Cannot set up a bare Debian: "))
        #expect(result.said.split(separator: "\n").count == 1)
    }

    @Test(arguments: [0, 2]) func fallsBackToMakeTest(_ status: Int32) throws {
        let make = "echo \"make $*\"; exit \(status)"
        let result = try Script.withCommands(["make": make]) { folder in
            try Script(
                ".ci/run", environment: ["SWIFT": "/nonexistent", "PATH": "\(folder):/usr/bin:/bin"])
        }
        #expect(result.status == status)
        let lines = result.said.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasPrefix("Cannot set up a bare Debian: ") == true)
        #expect(lines.last == "make test")
    }
}
