// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
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

    /// A machine without Swift, whose distribution packages one.
    @Test func newPackageOfSwiftIsInstalled() throws {
        let result = try installWithoutSwift(packaged: "6.2.3-1+b1")
        #expect(result.said.contains("  swiftlang "), "\(result.said)")
        #expect(!result.said.contains("swift.org"))
    }

    @Test(arguments: ["6.0.3-2", "(none)", nil]) func otherwiseMissingSwiftIsReported(_ version: String?)
        throws
    {
        let result = try installWithoutSwift(packaged: version)
        #expect(result.status == 1)
        #expect(result.said.hasPrefix("Touchtone needs Swift 6.2 or newer; Swift was not found.\n"))
        #expect(result.said.contains("Debian unstable") && result.said.contains("swift.org"))
        #expect(!result.said.contains("swiftlang"))
    }

    /// Packages that contradict each other, as in unstable, do not stop `make run`.
    @Test func optionalPackageThatCannotBeInstalledIsNamed() throws {
        let result = try Script.withCommands(["apt-get": "echo 'unmet dependencies' >&2; exit 100"]) {
            folder in
            try Script.withCheckout { checkout in
                try "sip | libno-dev | header:no/such.h | calls\n".write(
                    toFile: "\(checkout)/data/packaging/packages.txt", atomically: true, encoding: .utf8)
                return try Script(
                    path: "\(checkout)/data/packaging/install-deps.sh", ["--optional", "sip"],
                    environment: ["PATH": "\(folder):/usr/bin:/bin"])
            }
        }
        #expect(result.status == 0)
        #expect(result.said.hasSuffix("apt cannot install them now: libno-dev\n"), "\(result.said)")
    }

    /// A package that only some releases have is left out elsewhere, if its name ends with a question mark.
    @Test(arguments: [("2.9.0-1", true), ("(none)", false)])
    func packageOfSomeReleases(_ version: String, _ isNamed: Bool) throws {
        let policy = "echo '  Installed: (none)'; echo '  Candidate: \(version)'"
        let result = try Script.withCommands(["apt-cache": policy]) { folder in
            try Script.withCheckout { checkout in
                try "test | plugin? | share:no/such | a plugin\ntest | other | share:no/such | another\n"
                    .write(
                        toFile: "\(checkout)/data/packaging/packages.txt", atomically: true, encoding: .utf8)
                return try Script(
                    path: "\(checkout)/data/packaging/install-deps.sh", ["--list", "test"],
                    environment: ["PATH": "\(folder):/usr/bin:/bin"])
            }
        }
        #expect(result.status == 1)
        #expect(result.said.contains("  plugin ") == isNamed, "\(result.said)")
        #expect(result.said.contains("  other ") && !result.said.contains("?"), "\(result.said)")
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

    /// Runs it on a machine without Swift, with a substitute for apt.
    private func installWithoutSwift(packaged version: String?) throws -> Script {
        let policy = version.map { "echo '  Installed: (none)'; echo '  Candidate: \($0)'" } ?? ":"
        return try Script.withCommands(["apt-cache": policy]) { folder in
            // Links to the commands that it uses: a folder of the system's may have swift.
            for command in ["bash", "cut", "dirname", "head", "sed", "sort", "uname"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(command)", withDestinationPath: "/usr/bin/\(command)")
            }
            return try Script(
                "data/packaging/install-deps.sh", ["--list", "build"],
                environment: ["PATH": folder, "SWIFT": "swift"])
        }
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
