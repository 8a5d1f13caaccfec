// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

/// The packages that `data/packaging/install-deps.sh` misses, and its messages about an unusable toolchain.
@Suite struct InstallDepsTests {
    @Test func brokenSwiftIsQuotedWithPackagesToInstall() throws {
        let error =
            "swift: error while loading shared libraries: libxml2.so.2: cannot open shared object file: "
            + "No such file or directory"
        let result = try install(with: "echo '\(error)' >&2; exit 127")
        #expect(result.status == 1)
        #expect(result.said.contains(error))
        let advice = result.said.split(separator: "\n").last { $0.contains("apt-get install") }
        #expect(advice?.contains("libxml2-dev") == true, "\(result.said)")
    }

    @Test func silentSwiftIsReportedWithAllPossibleCauses() throws {
        let result = try install(with: "exit 127")
        #expect(result.status == 1)
        #expect(result.said.contains("does not start") && result.said.contains("apt-get install "))
    }

    @Test func oldSwiftIsReportedWithItsVersion() throws {
        let result = try install(with: "echo 'Swift version 5.10 (swift-5.10-RELEASE)'")
        #expect(result.status == 1)
        #expect(result.said.contains("Touchtone needs Swift 6.2 or newer; this is Swift 5.10"))
    }

    /// The list is longer than the buffer of a pipe, so that a reader that stops at the first match stops its writer.
    @Test func fontIsFoundAmongThousands() throws {
        let fonts = "echo Inter; yes 'A Font With a Long Name' | head -n 20000"
        let result = try Script.withCommands(["fc-list": fonts]) { folder in
            try Script(
                "data/packaging/install-deps.sh", ["--list", "run"],
                environment: ["PATH": "\(folder):/usr/bin:/bin"])
        }
        #expect(!result.said.contains("fonts-inter"), "\(result.said)")
    }

    /// Runs it with a substitute for swift; it gets no further, and installs nothing.
    private func install(with swift: String) throws -> Script {
        try Script.withCommands(["swift": swift]) { folder in
            try Script(
                "data/packaging/install-deps.sh", ["--list", "build"],
                environment: ["SWIFT": "\(folder)/swift"])
        }
    }
}
