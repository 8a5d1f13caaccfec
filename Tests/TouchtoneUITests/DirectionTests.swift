// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that names from strangers cannot turn around the text that an assistive tool or a tooltip shows.
final class DirectionTests: GtkTestCase {
    func testNoNameOfWidgetHasOverride() throws {
        try onMainActor {
            let turned = "\u{202E}ecarG \u{202B}x\u{2067}"
            let people = People([
                NewContact(
                    ContactCard(name: turned, methods: [ContactMethod(.number, "5558675309")], note: turned))
            ])
            let service = FakeChatService()
            let fixture = try PhoneWindowFixture(
                width: 900, directory: people.directory, account: service)
            let grace = ChatAddress("grace@example.org")
            service.tell(.buddies([BuddyRecord(grace, name: turned)], version: nil))
            let tea = ChatAddress("tea@rooms.example.org")
            service.tell(.room(Room(RoomRecord(tea, name: turned, nickname: turned), standing: .joined)))
            service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: grace, sender: .buddy, text: turned, time: ChatTime(milliseconds: 1),
                            name: "1"))
                ]))
            fixture.chat.select(grace)
            waitUntil("the rows are shown") { fixture.rows("Buddies").count == 3 }
            for page in PanelPageName.allCases {
                fixture.act(page.rawValue)
                waitUntil("\(page) is shown") {
                    page != .contacts || fixture.rows("Contacts").count == 1
                }
                for widget in descendants(of: fixture.widget) {
                    let accessible = gtk_widget_get_accessible(widget)
                    let tip = gtk_widget_get_tooltip_text(widget)
                    defer { g_free(tip) }
                    var texts = [atk_object_get_name(accessible), atk_object_get_description(accessible)]
                        .map { $0.map { String(cString: $0) } ?? "" }
                    // The text of a message is shown as it is, in a paragraph of its own.
                    if cgtk_instance_is_a(widget, gtk_label_get_type()) != 0 { texts = [] }
                    texts.append(tip.map { String(cString: $0) } ?? "")
                    for text in texts {
                        XCTAssertFalse(
                            text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) }, text)
                    }
                }
            }
            fixture.clear()
        }
    }
}
