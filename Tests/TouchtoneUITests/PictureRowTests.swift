// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The answer that a test gives to a file dialog; nil cancels it.
@MainActor
final class FileAnswer {
    var answer: FileDialog.Answer?
}

/// Tests of the user's own picture in Preferences.
final class PictureRowTests: GtkTestCase {
    func testPictureIsChosenAndRemoved() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            XCTAssertEqual(fixture.isShown("Your Picture"), false, "there is no account")
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            waitUntil("it is shown") { fixture.isShown("Your Picture") == true }
            XCTAssert(fixture.labels.contains("You can change it while you are signed in"))
            XCTAssertFalse(try fixture.isSensitive("Choose Picture…"))
            fixture.service.tell(.state(.online))
            XCTAssert(fixture.labels.contains("Shown to the people who see your status"))
            // Nothing happens if the dialog is cancelled.
            fixture.press("Choose Picture…")
            fixture.files.answer = FileDialog.Answer(
                uri: "file://\(Checkout.folder)/data/screenshots/phone.png")
            fixture.press("Choose Picture…")
            var sent: [UInt8]?
            waitUntil("it is published") {
                for case .picture(let bytes?) in fixture.service.takeCalls() { sent = bytes }
                return sent != nil
            }
            let picture = try XCTUnwrap(sent)
            XCTAssert(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            XCTAssertEqual(picture[16..<20].reduce(0) { $0 << 8 | Int($1) } <= 192, true)
            XCTAssertNil(fixture.button("Remove Picture"))
            fixture.service.tell(.picture(ChatAddress("ada@example.org"), picture))
            waitUntil("it can be removed") {
                fixture.button("Remove Picture").map { gtk_widget_get_sensitive($0) } == 1
            }
            fixture.press("Remove Picture")
            waitUntil("it is removed") { fixture.service.calls.contains(.picture(nil)) }
            fixture.clear()
        }
    }

    func testProblemsAreTold() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            fixture.service.tell(.state(.online))
            waitUntil("it is shown") { fixture.isShown("Your Picture") == true }
            fixture.files.answer = FileDialog.Answer(uri: "file://\(Checkout.folder)/README.md")
            fixture.press("Choose Picture…")
            waitUntil("it is told") {
                fixture.labels.contains("This file isn’t a picture that Touchtone can use.")
            }
            XCTAssertEqual(fixture.service.takeCalls(), [])
            fixture.service.error = .refused("No pictures here.")
            fixture.files.answer = FileDialog.Answer(
                uri: "file://\(Checkout.folder)/data/screenshots/phone.png")
            fixture.press("Choose Picture…")
            waitUntil("it is told") { fixture.labels.contains("No pictures here.") }
            fixture.clear()
        }
    }
}
