// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// The checkout that these tests are part of.
enum Repository {
    /// Its top folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of it.
    struct File: CustomTestStringConvertible {
        let path: String
        let text: String

        /// The module of Sources or Tests that it belongs to.
        var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }
        var lines: [Substring] { text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
        var testDescription: String { path }
    }

    /// The text of a file.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The files of a folder and those below it that have one of these extensions.
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
