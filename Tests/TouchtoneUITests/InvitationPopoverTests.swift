// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of invitations that the user makes, in the panel.
final class InvitationPopoverTests: GtkTestCase {
    private static let link = "https://example.org/invite/#" + String(repeating: "abcdef", count: 8)

    func testLinkIsShownAndCopied() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            let effects: [(MadeInvitation.Effect, String)] = [
                (.account, "makes an account"), (.buddy, "with a Jabber account"),
                (.buddyWhileOnline, "when it is online"),
            ]
            for (effect, words) in effects {
                fixture.service.invitation = MadeInvitation(
                    link: Self.link, expiry: effect == .buddy ? nil : ChatTime(milliseconds: 0),
                    effect: effect)
                fixture.invite()
                waitUntil("the link is shown") { fixture.shown.contains(Self.link) }
                XCTAssert(fixture.shown.contains { $0.contains(words) }, "\(fixture.shown)")
                XCTAssert(
                    fixture.shown.contains {
                        effect == .buddy ? $0 == "For one person." : $0.contains("until ")
                    }, "\(fixture.shown)")
                fixture.settle()
                fixture.click(fixture.button("Copy Link"))
                waitUntil("the button tells it") { fixture.button("Copied") != nil }
                XCTAssertEqual(fixture.clipboard, Self.link)
                TransientPopover.cancel()
                fixture.settle()
            }
            XCTAssertEqual(fixture.service.calls.filter { $0 == .invite }.count, effects.count)
            fixture.clear()
        }
    }

    func testFailureIsTold() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            for error in [ChatServiceError.offline, .refused("The server isn’t responding."), .unsupported] {
                fixture.service.error = error
                fixture.invite()
                waitUntil("it is said") { fixture.shown.contains(error.text) }
                XCTAssertNil(fixture.button("Copy Link"))
                TransientPopover.cancel()
                fixture.settle()
            }
            fixture.clear()
        }
    }
}

extension MessagePanelFixture {
    fileprivate var shown: [String] { popovers.first.map { labels(in: $0) } ?? [] }

    fileprivate func invite() {
        guard let actions else { return XCTFail("there is no menu") }
        g_action_group_activate_action(actions, "invite", nil)
        settle()
    }
}
