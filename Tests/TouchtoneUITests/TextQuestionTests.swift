// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the bar that shows that a buddy asks for real-time text, and of the menu of the conversation.
final class TextQuestionTests: GtkTestCase {
    private static let question = "Grace asks for real-time text: each of you sees what the other types."

    func testQuestionIsShownAndSpokenOnce() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let spoken = SpokenTexts(in: fixture.widget)
            let focus = fixture.focusedName
            fixture.ask()
            XCTAssert(fixture.asksForText)
            XCTAssertEqual(spoken.texts, [Self.question])
            XCTAssertEqual(fixture.focusedName, focus, "the user goes on writing")
            fixture.ask(false)
            XCTAssertFalse(fixture.asksForText)
            fixture.ask()
            XCTAssert(fixture.asksForText)
            XCTAssertEqual(spoken.texts, [Self.question])
            // Another conversation has none, and nothing is shown while the phone is locked.
            fixture.open(MessagePanelFixture.edsger)
            XCTAssertFalse(fixture.asksForText)
            fixture.open()
            XCTAssert(fixture.asksForText)
            fixture.panel.insides?.conversation.isCovered = true
            XCTAssertFalse(fixture.asksForText)
            fixture.panel.insides?.conversation.isCovered = false
            XCTAssert(fixture.asksForText)
            fixture.clear()
        }
    }

    func testKeysAllowItOrPutItOff() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.ask()
            fixture.click(try XCTUnwrap(fixture.button("Not Now")))
            fixture.settle()
            XCTAssertFalse(fixture.asksForText)
            XCTAssertEqual(
                fixture.service.typedTexts.takeCalls(), [.putOff(MessagePanelFixture.grace)])
            fixture.ask()
            let allow = try XCTUnwrap(fixture.button("Allow"))
            gtk_widget_grab_focus(allow)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertFalse(fixture.asksForText)
            XCTAssertEqual(fixture.service.typedTexts.takeCalls(), [.start(MessagePanelFixture.grace)])
            XCTAssert(fixture.chat.hasRealTimeText(with: MessagePanelFixture.grace))
            XCTAssertNotEqual(fixture.focusedName, "", "the keyboard has a place")
            fixture.clear()
        }
    }

    func testOnlyTheOwnChoiceIsWaitedForInWords() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.service.tell(.encryption(MessagePanelFixture.grace, .impossible(.noKeys)))
            let line = try XCTUnwrap(fixture.panel.insides?.conversation.typing)
            fixture.chat.setRealTimeText(true, MessagePanelFixture.grace)
            fixture.settle()
            XCTAssertEqual(line.text, "Real-time text begins when Grace turns it on, too.")
            fixture.chat.setRealTimeText(false, MessagePanelFixture.grace)
            fixture.open(MessagePanelFixture.edsger)
            fixture.service.tell(.encryption(MessagePanelFixture.edsger, .impossible(.noKeys)))
            fixture.chat.realTimeText = .always
            fixture.settle()
            XCTAssertEqual(fixture.chat.selected?.liveText.standing, .waiting)
            XCTAssertEqual(line.text, "")
            fixture.clear()
        }
    }

    func testMenuHasWhatTheSettingLeaves() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.tell(.encryption(MessagePanelFixture.grace, .impossible(.noKeys)))
            for (use, item) in [
                (RealTimeTextUse.always, "Turn Off Real-Time Text"), (.always, "Turn On Real-Time Text"),
                (.ask, "Turn On Real-Time Text"), (.never, nil),
            ] {
                fixture.chat.realTimeText = use
                fixture.click(fixture.row("Buddies", "Grace"), button: 3)
                XCTAssertEqual(fixture.menuItems.filter { $0.contains("Real-Time") }, item.map { [$0] } ?? [])
                fixture.type(GDK_KEY_Escape)
                fixture.settle()
                fixture.chat.setRealTimeText(false, MessagePanelFixture.grace)
            }
            fixture.clear()
        }
    }
}

extension MessagePanelFixture {
    /// Lets Grace ask for real-time text in a conversation that is not encrypted, or ask no more.
    fileprivate func ask(_ isAsking: Bool = true) {
        service.typedTexts.asking = isAsking ? [Self.grace] : []
        service.tell(.encryption(Self.grace, .impossible(.noKeys)))
        service.tell(.realTimeText(Self.grace, .asked))
        settle()
    }

    /// Whether the bar is shown.
    fileprivate var asksForText: Bool { button("Allow") != nil && button("Not Now") != nil }
}
