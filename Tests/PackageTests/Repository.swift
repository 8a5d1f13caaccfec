// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// The checkout that these tests are part of.
enum Repository {
    /// The top folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of the checkout.
    struct File: CustomTestStringConvertible {
        let path: String
        let text: String

        /// The module of Sources or Tests that the file belongs to.
        var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }
        var lines: [Substring] { text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
        var testDescription: String { path }
    }

    /// Returns the text of a file.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the files of a folder and its descendants that have one of these extensions.
    static func files(in folder: String, extensions: Set<String>) throws -> [File] {
        let paths = try FileManager.default.subpathsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return try paths.sorted().map { "\(folder)/\($0)" }
            .filter { extensions.contains(URL(fileURLWithPath: $0).pathExtension) }
            .map {
                File(path: $0, text: try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
            }
    }
}
