// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the ways from the pages of the panel to the phone and to other pages.
final class PanelNavigatorTests: GtkTestCase {
    func testCalleeIsEnteredAndDialled() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let panel = fixture.window.panel
            let (number, line) = (try XCTUnwrap(DialledNumber("5550100")), ScriptedLine())
            fixture.phone.line = line
            fixture.phone.lineForAddresses = { line }
            panel.enter(.number(number))
            XCTAssertEqual(fixture.display, "555-0100")
            panel.enter(.address(.sip(try SIPURI("sip:ada@example.org"))))
            XCTAssertEqual(fixture.phone.copy(), "sip:ada@example.org")
            XCTAssert(line.calls.isEmpty, "nothing is dialled")
            panel.call(.address(.sip(try SIPURI("sip:ada@example.org"))))
            XCTAssertEqual(line.calls.map(\.remote.address), ["sip:ada@example.org"])
            panel.call(.number(number))
            panel.call(.address(.sip(try SIPURI("sip:grace@example.org"))))
            XCTAssertEqual(line.calls.count, 1, "there is a call already")
            fixture.phone.calls.hangUpAll()
            panel.call(.number(number))
            XCTAssertEqual(line.calls.last?.remote.number, number)
            fixture.clear()
        }
    }

    func testLinksLeadToTheirPlaces() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(panel: false, account: FakeChatService())
            let panel = fixture.window.panel
            panel.open(.number("555-0100"))
            XCTAssertEqual(fixture.display, "555-0100")
            panel.open(.xmpp("xmpp:grace@example.org"))
            XCTAssert(panel.folding.isOpen)
            XCTAssertEqual(fixture.chat.selected?.buddy, ChatAddress("grace@example.org"))
            XCTAssertEqual(fixture.line.numbers, [], "nothing is dialled")
            panel.open(.xmpp("xmpp:nowhere"))
            XCTAssertEqual(fixture.chat.selected?.buddy, ChatAddress("grace@example.org"))
            fixture.clear()
        }
    }
}
