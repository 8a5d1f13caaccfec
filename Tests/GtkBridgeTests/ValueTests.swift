// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

/// Tests of GLib's and GTK's errors, actions, settings and layouts in Swift.
final class ValueTests: GtkTestCase {
    func testGErrorBecomesSwiftError() throws {
        try onMainActor {
            XCTAssertThrowsError(try Builder(file: "/nonexistent.ui")) { error in
                let error = error as? GLibError
                XCTAssertEqual(error?.domain, "g-file-error-quark")
                XCTAssertEqual(error?.message.contains("/nonexistent.ui"), true)
            }
        }
    }

    func testCallWithoutErrorReturnsItsResult() throws {
        try onMainActor {
            let text = try GLibError.check { error -> String? in
                var contents: UnsafeMutablePointer<gchar>?
                g_file_get_contents("\(Checkout.folder)/LICENSE", &contents, nil, error)
                defer { g_free(contents) }
                return contents.map { String(cString: $0) }
            }
            XCTAssertEqual(text?.contains("GNU GENERAL PUBLIC LICENSE"), true)
        }
    }

    func testMissingLayoutObjectIsNamed() throws {
        try onMainActor {
            let builder = try Builder(file: "\(Checkout.folder)/data/ui/display.ui")
            XCTAssertThrowsError(try builder.object("nobody", as: GtkWidget.self)) { error in
                XCTAssertEqual((error as? GLibError)?.message.contains("nobody"), true)
            }
        }
    }

    func testActionsRunTheirClosuresWithTheirText() {
        onMainActor {
            let group = GObjectRef(taking: UnsafeMutableRawPointer(g_simple_action_group_new()))
            var done: [String] = []
            let actions = ActionMap(group.object)
            actions.add("plain") { done.append("plain") }
            actions.add("said", text: { done.append($0) })
            g_action_group_activate_action(group.opaque, "plain", nil)
            g_action_group_activate_action(group.opaque, "said", g_variant_new_string("\u{202E}5558675309 😀"))
            XCTAssertEqual(done, ["plain", "\u{202E}5558675309 😀"])
        }
    }

    func testSettingsWithoutOwnPathHaveSeveralInstances() throws {
        try onMainActor {
            let (schema, folders) = ("io.github.touchtone.Touchtone.Line", ["\(Checkout.folder)/data"])
            let one = try Settings(schema: schema, path: "/io/github/touchtone/test/1/", folders: folders)
            let other = try Settings(schema: schema, path: "/io/github/touchtone/test/2/", folders: folders)
            one[text: "prefix"] = "9"
            XCTAssertEqual(one[text: "prefix"], "9")
            XCTAssertEqual(other[text: "prefix"], "")
            XCTAssert(one.isWritable("prefix"))
            one.reset("prefix")
            XCTAssertThrowsError(try Settings(schema: schema, folders: folders))
            XCTAssertThrowsError(
                try Settings(schema: "io.github.touchtone.Touchtone", path: "/elsewhere/", folders: folders))
        }
    }

    func testSettingsAreReadWrittenAndFollowed() throws {
        try onMainActor {
            let settings = try Settings(
                schema: "io.github.touchtone.Touchtone", folders: ["\(Checkout.folder)/data"])
            var seen: [Double] = []
            settings.follow("tone-level") { [weak settings] in
                seen.append(settings?[number: "tone-level"] ?? 0)
            }
            settings[number: "tone-level"] = -20
            handleEvents()
            XCTAssertEqual(seen, [-9, -20])
            settings[flag: "panel-visible"] = false
            XCTAssertFalse(settings[flag: "panel-visible"])
            settings[text: "number-format"] = "regional"
            XCTAssertEqual(settings[text: "number-format"], "regional")
        }
    }

    /// Where there is no dconf, each write replaces the file of all settings.
    func testWhatIsChosenAlreadyIsNotWritten() throws {
        try onMainActor {
            let settings = try Settings(
                schema: "io.github.touchtone.Touchtone.Line", path: "/io/github/touchtone/test/3/",
                folders: ["\(Checkout.folder)/data"])
            var notices = 0
            settings.follow("prefix") { notices += 1 }
            settings.reset("prefix")
            settings.resetAll()
            XCTAssertEqual(notices, 1)
            // The default is a choice, too.
            settings[text: "prefix"] = ""
            XCTAssertTrue(settings.isChosen("prefix"))
            for _ in 0..<2 { settings[text: "prefix"] = "9" }
            XCTAssertEqual(notices, 3)
            settings.resetAll()
            XCTAssertFalse(settings.isChosen("prefix"))
            XCTAssertEqual(notices, 4)
        }
    }

    func testMissingSchemaThrowsInsteadOfAborting() throws {
        try onMainActor {
            XCTAssertThrowsError(try Settings(schema: "org.example.Nothing")) { error in
                XCTAssertEqual(
                    (error as? GLibError)?.message, "The settings schema org.example.Nothing is missing.")
            }
        }
    }
}
