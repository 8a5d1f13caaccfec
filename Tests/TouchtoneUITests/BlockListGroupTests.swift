// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the block list in Preferences.
final class BlockListGroupTests: GtkTestCase {
    private static let field = "Block a Number or Address"

    func testCallersAreAddedListedAndRemoved() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, hasBlockList: true)
            let list = fixture.blockList
            XCTAssertEqual(fixture.subtitle("Blocked Callers"), "None")
            XCTAssertEqual(gtk_widget_get_sensitive(try XCTUnwrap(fixture.row("Blocked Callers"))), 0)
            for text in ["(555) 867-5309", "Grace@example.org"] {
                fixture.fill(Self.field, text)
                fixture.press("Block")
            }
            XCTAssertEqual(list.entries, ["5558675309", "grace@example.org"])
            XCTAssertEqual(fixture.subtitle(Self.field), "grace@example.org is blocked")
            XCTAssertEqual(fixture.subtitle("Blocked Callers"), "2 callers")
            XCTAssertNil(fixture.row("grace@example.org"), "the list is closed")
            fixture.activate("Blocked Callers")
            XCTAssertEqual(fixture.isShown("grace@example.org"), true)
            gtk_button_clicked(try XCTUnwrap(fixture.key("Unblock (555) 867-5309")).cast())
            XCTAssertEqual(list.entries, ["grace@example.org"])
            XCTAssertNil(fixture.row("(555) 867-5309"))
            // Another program changes the setting.
            list.entries = []
            XCTAssertNil(fixture.row("grace@example.org"))
            fixture.clear()
        }
    }

    /// A choice that was made before there was a row for all lines is shown, and ends with another choice.
    func testUnknownCallersFollowBothSettings() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, hasBlockList: true)
            let settings = fixture.settings
            XCTAssertEqual(fixture.choice("Unknown Callers"), "Ring")
            settings[text: "sip-strangers"] = "decline"
            XCTAssertEqual(fixture.choice("Unknown Callers"), "Decline as Busy")
            let row = try XCTUnwrap(fixture.row("Unknown Callers"))
            hdy_combo_row_set_selected_index(row.cast(), 0)
            XCTAssertEqual(settings[text: "sip-strangers"], "ring")
            XCTAssertEqual(fixture.choice("Unknown Callers"), "Ring")
            hdy_combo_row_set_selected_index(row.cast(), 1)
            XCTAssertEqual(settings[text: "unknown-callers"], "machine")
            XCTAssertEqual(fixture.choice("Unknown Callers"), "Answering Machine")
            hdy_combo_row_set_selected_index(row.cast(), 2)
            XCTAssertEqual(settings[text: "unknown-callers"], "decline")
            fixture.clear()
        }
    }

    func testMistakesAreTold() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, hasBlockList: true)
            fixture.blockList.entries = ["5550104"]
            for (text, told) in [
                ("nobody", "Enter a number, or an address such as name@example.org"),
                ("555-0104", "This caller is blocked already"),
            ] {
                fixture.fill(Self.field, text)
                fixture.press("Block")
                XCTAssertEqual(fixture.subtitle(Self.field), told)
                XCTAssertEqual(fixture.text(Self.field), text)
            }
            fixture.blockList.entries = (0..<BlockList.capacity).map { "\(5_550_000_000 + $0)" }
            fixture.fill(Self.field, "grace@example.org")
            fixture.press("Block")
            XCTAssertEqual(fixture.subtitle(Self.field), "At most 2,000 callers can be blocked.")
            fixture.activate("Blocked Callers")
            XCTAssertEqual(fixture.isShown("1,800 more callers are in the exported list."), true)
            fixture.clear()
        }
    }

    func testListIsImportedAndExported() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, hasBlockList: true)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (source, target) = ("\(folder.path)/in.txt", "\(folder.path)/out.txt")
            try "555-0104\nhello\ngrace@example.org\n".write(
                toFile: source, atomically: true, encoding: .utf8)
            fixture.files.answer = .init(uri: "file://\(source)")
            fixture.press("Import…")
            waitUntil("it is read") { fixture.blockList.entries == ["5550104", "grace@example.org"] }
            waitUntil("it is told") {
                fixture.subtitle("List as a Text File") == "2 callers added, 1 line could not be read"
            }
            XCTAssertTrue(try fixture.isSensitive("Import…"))
            fixture.files.answer = .init(uri: "file://\(target)")
            fixture.press("Export…")
            waitUntil("it is told") { fixture.subtitle("List as a Text File") == "The list is exported" }
            XCTAssertEqual(
                try String(contentsOfFile: target, encoding: .utf8), "5550104\ngrace@example.org\n")
            try Data(count: BlockList.maximumFileSize + 1).write(to: URL(fileURLWithPath: source))
            fixture.files.answer = .init(uri: "file://\(source)")
            fixture.press("Import…")
            waitUntil("it is refused") {
                fixture.subtitle("List as a Text File")
                    == "The file is larger than 1 MiB and was not imported."
            }
            fixture.clear()
        }
    }

    /// Files without text are refused in words, and the main loop goes on.
    func testOtherFilesAreRefused() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, hasBlockList: true)
            let folder = try TemporaryFolders.make("touchtone-blocked")
            XCTAssertEqual(mkfifo("\(folder)/pipe", 0o600), 0)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/loop", withDestinationPath: "\(folder)/loop")
            try Data([0xFF, 0xFE, 0x35, 0]).write(to: URL(fileURLWithPath: "\(folder)/wide"))
            try Data("5550104\0".utf8).write(to: URL(fileURLWithPath: "\(folder)/binary"))
            let noFile = "This is not a file with text, and was not imported."
            for (path, told) in [
                ("\(folder)/pipe", noFile), ("/dev/zero", noFile),
                ("\(folder)/loop", "The file could not be used: "),
                (folder, "The file could not be used: "),
                ("\(folder)/wide", "The file is text in UTF-16. Save it as text in UTF-8, and import that."),
                ("\(folder)/binary", "The file is not a text, and was not imported."),
            ] {
                fixture.files.answer = .init(uri: "file://\(path)")
                fixture.press("Import…")
                waitUntil("\(path) is refused") {
                    fixture.subtitle("List as a Text File").hasPrefix(told)
                }
            }
            XCTAssertEqual(fixture.blockList.entries, [])
            fixture.clear()
        }
    }

    func testLockedListCannotBeChanged() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, hasBlockList: true)
            fixture.blockList.save = nil
            fixture.blockList.entries = ["5550104"]
            fixture.activate("Blocked Callers")
            XCTAssertFalse(try fixture.isSensitive("Import…"))
            XCTAssertEqual(fixture.key("Unblock 555-0104").map(gtk_widget_get_sensitive), 0)
            XCTAssertEqual(fixture.field(Self.field).map(gtk_widget_get_sensitive), 0)
            fixture.clear()
        }
    }
}
