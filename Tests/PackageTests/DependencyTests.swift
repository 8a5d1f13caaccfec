// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@Suite struct DependencyTests {
    @Test func targetsDependOnWhatTheyImport() throws {
        let rules = DependencyRules(manifest: try Repository.text(of: "Package.swift"))
        for folder in ["Sources", "Tests"] {
            for file in try Repository.files(in: folder, extensions: ["swift"]) {
                for violation in rules.violations(in: file.text, at: file.path) {
                    Issue.record(
                        "\(file.path):\(violation.line): Package.swift lacks the dependency \(violation.module)"
                    )
                }
            }
        }
    }

    @Test(arguments: ["Sources/App/a.swift", "Tests/AppTests/a.swift", "Tests/Support/B/a.swift"])
    func missingDependencyIsDetected(_ path: String) {
        let rules = DependencyRules(
            manifest: """
                .target(name: "Base"), .target(name: "App", dependencies: ["Kit"], swiftSettings: strict),
                .testTarget(
                    name: "AppTests",
                    dependencies: [
                        "App", "Kit",
                    ]),
                .target(name: "Support", dependencies: ["Kit"], path: "Tests/Support"), .target(name: "Kit"),
                """)
        #expect(
            rules.violations(in: "import Glibc\nimport Kit\nimport Base\n", at: path)
                == [.init(line: 3, module: "Base")])
    }
}
