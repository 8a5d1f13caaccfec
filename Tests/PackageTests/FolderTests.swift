// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@Suite struct FolderTests {
    @Test(arguments: FolderRules.layers)
    func foldersUseOnlyLowerOnes(_ module: String, _ layers: [Set<String>]) throws {
        let sources = try Repository.files(in: "Sources/\(module)", extensions: ["swift"]).map { file in
            let path = file.path.split(separator: "/")
            return FolderRules.Source(
                folder: String(path[2]), name: String(path[path.count - 1]), text: file.text)
        }
        #expect(Set(sources.map(\.folder)) == layers.reduce(into: []) { $0.formUnion($1) })
        for violation in FolderRules.violations(in: sources, layers: layers) { Issue.record("\(violation)") }
    }

    private func violations(in sources: [FolderRules.Source]) -> [String] {
        FolderRules.violations(in: sources, layers: [["Widgets"], ["Chat", "History"], ["Window"]])
    }

    @Test(arguments: [
        "let page: CallsPage", "    CallsPage.open()", "x as? CallsPage  // note", "f(\"a\", CallsPage())",
    ])
    func useOfAFolderOfTheSameLayerIsDetected(_ line: String) {
        #expect(
            violations(in: [
                .init(folder: "History", name: "CallsPage.swift", text: "package final class CallsPage: A {"),
                .init(folder: "Chat", name: "A.swift", text: "// Text\n\(line)\n"),
            ]) == ["Chat/A.swift must not use CallsPage of History"])
    }

    @Test func useOfTheWindowIsDetected() {
        #expect(
            violations(in: [
                .init(folder: "Window", name: "W.swift", text: "@MainActor enum Frame {\n"),
                .init(folder: "Widgets", name: "B.swift", text: "Frame.draw()"),
            ]) == ["Widgets/B.swift must not use Frame of Window"])
    }

    @Test(arguments: [
        "// CallsPage", "let a = \"CallsPage\"", "let b: OtherCallsPage", "let c: Member", "let d: Row",
    ])
    func otherTextIsAccepted(_ line: String) {
        let page = "struct CallsPage {\n    struct Member {}\n}\nprivate struct Row {}"
        #expect(
            violations(in: [
                .init(folder: "History", name: "CallsPage.swift", text: page),
                .init(folder: "Chat", name: "A.swift", text: line),
                .init(folder: "Window", name: "B.swift", text: "let e: CallsPage"),
            ]) == [])
    }
}
