// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the last call and the last message on a contact’s card.
final class ContactActivityViewTests: GtkTestCase {
    func testCardHasLastCallAndMessage() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            let call = PastCall(
                direction: .outgoing, remote: RemoteParty(DialledNumber("5558675309") ?? DialledNumber()),
                line: "tel", began: ChatTime(milliseconds: 0), endReason: .hungUp, seconds: 3)
            fixture.people.calls.fill([call])
            try fixture.messages.fill(facts: [
                .received(
                    ReceivedMessage(
                        buddy: ChatAddress("grace@example.org"), sender: .buddy, text: "see you\nsoon",
                        time: ChatTime(milliseconds: 0), name: "1"))
            ])
            let time = LocaleStamps().dateAndTime(ChatTime(milliseconds: 0))
            let first = try XCTUnwrap(fixture.row("Contacts", "Grace Hopper"))
            fixture.click(first)
            waitUntil("both are shown") {
                let labels = fixture.labels(in: fixture.widget)
                return labels.contains("Last call: outgoing, \(time)")
                    && labels.contains {
                        $0.hasPrefix("Last message: “see you") && $0.hasSuffix("soon”, \(time)")
                    }
            }
            fixture.click(fixture.button("Message"))
            XCTAssertEqual(fixture.navigator.notes, ["message 5558675309"])
            fixture.clear()
        }
    }
}
