// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that the up arrow corrects texts only.
final class FileCorrectionTests: GtkTestCase {
    func testUpLeavesDirectlySentFileAlone() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.uploads.error = .unsupported
            fixture.service.uploads.takers = [MessagePanelFixture.grace]
            fixture.service.tell(.ready)
            fixture.open()
            fixture.click(fixture.field)
            fixture.type("hello")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            fixture.files.add("/home/report.pdf")
            fixture.navigator.file = FileDialog.Answer(uri: "file:///home/report.pdf")
            fixture.click(fixture.button("Attach"))
            fixture.sendFiles()
            let transfers = fixture.service.uploads.transfers
            waitUntil("the file is offered") { !transfers.running.isEmpty }
            fixture.settle()
            XCTAssertEqual(Self.textAfterUp(fixture), "", "the file is offered")
            transfers.running[0].end()
            fixture.settle()
            XCTAssertEqual(Self.textAfterUp(fixture), "", "the device has the file")
            XCTAssertEqual(
                fixture.rows("Conversation"),
                ["you, \(fixture.time): hello", "you, \(fixture.time): file report.pdf"])
            // A later text can be corrected.
            fixture.type("words")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(Self.textAfterUp(fixture), "words")
            XCTAssertNotNil(fixture.button("Cancel Editing"))
            fixture.clear()
        }
    }

    @MainActor
    private static func textAfterUp(_ fixture: MessagePanelFixture) -> String {
        fixture.click(fixture.field)
        fixture.type(GDK_KEY_Up)
        return fixture.fieldText
    }
}
