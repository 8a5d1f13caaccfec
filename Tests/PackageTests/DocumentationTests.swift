// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

@Suite struct DocumentationTests {
    @Test func readmeFitsOnTwoScreens() throws {
        let readme = try #require(try Self.documents().first { $0.path == "README.md" })
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 120)
    }

    @Test func relativeLinksLeadToFilesAndHeadings() throws {
        let documents = try Self.documents()
        for document in documents {
            for target in MarkdownLinks(document.text).targets {
                #expect(
                    Self.leads(target, from: document.path, to: documents), "\(document.path): \(target)")
            }
        }
    }

    @Test func everyPageIsListed() throws {
        let pages = try Self.documents().map(\.path).filter {
            $0.hasPrefix("docs/") && $0 != "docs/README.md"
        }
        let manual = MarkdownLinks(try Repository.text(of: "docs/README.md")).targets.map { "docs/\($0)" }
        let contributing = MarkdownLinks(try Repository.text(of: "CONTRIBUTING.md")).targets
        #expect(Set(pages).subtracting(manual + contributing).isEmpty)
    }

    @Test func everyPictureIsUsedAndSmall() throws {
        let folder = "docs/pictures"
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appendingPathComponent(folder).path)
        let shown = try Self.documents().flatMap { MarkdownLinks($0.text).targets }
        for name in names {
            let data = try Data(contentsOf: Repository.root.appendingPathComponent("\(folder)/\(name)"))
            #expect(data.count <= 150_000, "\(name)")
            #expect(shown.contains("pictures/\(name)"), "\(name)")
        }
    }

    @Test func findsTargetsAndAnchors() {
        let text = """
            # The first: `a` heading
            [one](b.md) and [two,
            broken](c.md#d-e) ![picture](p.png), [elsewhere](https://example.org/x)

                [code](not-a-link)
            """
        let links = MarkdownLinks(text)
        #expect(links.targets == ["b.md", "c.md#d-e", "p.png"])
        #expect(links.anchors == ["the-first-a-heading"])
    }

    /// The Markdown files in the top folder and in `docs/`.
    private static func documents() throws -> [Repository.File] {
        let top = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
            .filter { $0.hasSuffix(".md") }
        return try top.map { Repository.File(path: $0, text: try Repository.text(of: $0)) }
            + Repository.files(in: "docs", extensions: ["md"])
    }

    /// Whether a target, relative to the folder of `path`, exists with its heading.
    private static func leads(_ target: String, from path: String, to documents: [Repository.File]) -> Bool {
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let base = Repository.root.appendingPathComponent(path)
        let file =
            parts[0].isEmpty
            ? base : base.deletingLastPathComponent().appendingPathComponent(String(parts[0]))
        let url = file.standardizedFileURL
        guard FileManager.default.fileExists(atPath: url.path) else { return false }
        guard parts.count == 2 else { return true }
        return documents.contains {
            Repository.root.appendingPathComponent($0.path).standardizedFileURL == url
                && MarkdownLinks($0.text).anchors.contains(String(parts[1]))
        }
    }
}
