// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
public import GtkBridge
import TestSupport
public import TouchtoneCore
import XCTest

extension Gettext: Translator {}

/// A locale with a catalogue of the test.
@MainActor
enum TestLocale {
    private static let names = ["LOCPATH", "LC_ALL", "LANGUAGE"]

    /// The languages that the program is translated to.
    static var languages: [String] {
        get throws {
            try String(contentsOfFile: "\(Checkout.folder)/data/po/LINGUAS", encoding: .utf8)
                .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        }
    }

    /// Runs `body` in one of `languages`, with its texts and the direction of its script.
    static func run(language: String, _ body: () throws -> Void) throws {
        try run(named: language) { catalogue in
            ["msgfmt", "--output-file=\(catalogue)", "\(Checkout.folder)/data/po/\(language).po"]
        } _: {
            gtk_widget_set_default_direction(language == "ar" ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            try body()
        }
    }

    /// Runs `body` in a locale.
    ///
    /// - Parameters:
    ///   - name: The language’s name in lower case.
    ///   - command: Returns the command that writes the catalogue to a file.
    static func run(named name: String, _ command: (String) -> [String], _ body: () throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let catalogue = folder.appendingPathComponent("\(name)/LC_MESSAGES")
        try FileManager.default.createDirectory(at: catalogue, withIntermediateDirectories: true)
        _ = try output(of: command(catalogue.appendingPathComponent("touchtone.mo").path))
        // gettext translates nothing in the locale C, so this is a copy of C with another name.
        let locale = "/usr/lib/locale/C.utf8"
        guard FileManager.default.fileExists(atPath: locale) else { throw XCTSkip("there is no \(locale)") }
        let whole = "\(name)_\(name.uppercased())"
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("\(whole).utf8").path, withDestinationPath: locale)

        let old = names.map { g_getenv($0).map { String(cString: $0) } }
        for (key, value) in zip(names, [folder.path, "\(whole).UTF-8", name]) { setenv(key, value, 1) }
        Translation.install(Gettext(folder: folder.path))
        defer {
            for (key, value) in zip(names, old) {
                if let value { setenv(key, value, 1) } else { unsetenv(key) }
            }
            Translation.install(Gettext(folder: folder.path))
        }
        try body()
    }
}
