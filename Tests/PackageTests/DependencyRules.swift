// SPDX-License-Identifier: GPL-3.0-or-later

/// The dependencies that the targets of Package.swift declare.
///
/// SwiftPM builds a target that imports a module it does not depend on if that module happens to be built before it.
struct DependencyRules {
    private let targets: [Target]

    /// A target of the package.
    private struct Target {
        let name: String
        /// Where its sources are, from the top of the checkout, without the last slash.
        let folder: String
        let dependencies: Set<String>
    }

    /// - Parameter manifest: The text of Package.swift.
    init(manifest: String) {
        targets = manifest.split(
            separator: /\.(?:t|executableT|testT)arget\(/, omittingEmptySubsequences: false
        ).dropFirst().compactMap { text in
            guard let name = text.firstMatch(of: /^\s*name: "([^"]+)"/)?.output.1 else { return nil }
            let isTest = manifest[..<text.startIndex].hasSuffix(".testTarget(")
            let folder = text.firstMatch(of: /[ (]path: "([^"]+)"/)?.output.1
            let dependencies = text.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.output.1 ?? ""
            return Target(
                name: String(name),
                folder: folder.map(String.init) ?? "\(isTest ? "Tests" : "Sources")/\(name)",
                dependencies: Set(dependencies.matches(of: /"([^"]+)"/).map { String($0.output.1) }))
        }
    }

    /// Returns the modules of the package that a source imports and its target does not depend on.
    func violations(in text: String, at path: String) -> [ImportRules.Violation] {
        guard let target = targets.first(where: { path.hasPrefix($0.folder + "/") }) else { return [] }
        let modules = Set(targets.map(\.name))
        return ImportRules.imports(in: text).filter {
            modules.contains($0.module) && !target.dependencies.contains($0.module)
        }
    }
}
