// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the profiles of buddies and of the user in the panel.
final class ProfilePanelTests: GtkTestCase {
    private static let ada = ChatAddress("ada@example.org")

    func testProfileOfBuddyIsShown() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.published[MessagePanelFixture.grace] = Profile([
                .name: ["<b>Grace</b>\nHopper"], .number: ["555", "556"],
                .website: [String(repeating: "w", count: 10_000)],
            ])
            Self.openProfile(of: "Grace", in: fixture)
            waitUntil("it is shown") { fixture.labels(in: fixture.widget).contains("556") }
            let labels = fixture.labels(in: fixture.widget)
            XCTAssert(labels.contains("<b>Grace</b> Hopper"), "\(labels)")
            XCTAssertFalse(labels.contains("Nickname"))
            XCTAssert(labels.allSatisfy { $0.count <= 300 })
            XCTAssertEqual(fixture.focusedName, "<b>Grace</b> Hopper", "it can be copied with keys")
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.find("Profile of Grace", ATK_ROLE_PANEL) == nil }
            // Nothing, and an error.
            Self.openProfile(of: "Edsger", in: fixture)
            waitUntil("it is said") {
                fixture.labels(in: fixture.widget).contains("This buddy publishes nothing.")
            }
            TransientPopover.cancel()
            fixture.service.error = .refused("The server can’t do this.")
            Self.openProfile(of: "Edsger", in: fixture)
            waitUntil("it is said") {
                fixture.labels(in: fixture.widget).contains("The server can’t do this.")
            }
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    func testOwnProfileIsChanged() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.service.tell(.account(Self.ada))
            fixture.meet()
            fixture.service.published[Self.ada] = Profile([.name: ["Ada"], .number: ["555", "556"]])
            OwnProfile.show(chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")))
            waitUntil("the form is filled in") { fixture.find("Name", ATK_ROLE_TEXT) != nil }
            let name = try XCTUnwrap(fixture.find("Name", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(name.cast())), "Ada")
            gtk_entry_set_text(name.cast(), "Ada Lovelace")
            gtk_entry_set_text(try XCTUnwrap(fixture.find("Number", ATK_ROLE_TEXT)).cast(), "")
            fixture.click(fixture.button("Save"))
            waitUntil("it is sent") {
                fixture.service.calls.contains(.profile([.name: "Ada Lovelace", .number: ""]))
            }
            waitUntil("the form is closed") { fixture.find("Your Profile", ATK_ROLE_PANEL) == nil }
            // Without a change, nothing is sent.
            OwnProfile.show(chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")))
            waitUntil("the form is filled in") { fixture.find("Name", ATK_ROLE_TEXT) != nil }
            fixture.click(fixture.button("Save"))
            waitUntil("the form is closed") { fixture.find("Your Profile", ATK_ROLE_PANEL) == nil }
            XCTAssertEqual(
                fixture.service.calls.count { if case .profile = $0 { true } else { false } }, 1)
            fixture.clear()
        }
    }

    @MainActor
    private static func openProfile(of name: String, in fixture: MessagePanelFixture) {
        fixture.click(fixture.row("Buddies", name), button: 3)
        waitUntil("the menu is open") { fixture.menuItems.contains("Profile…") }
        fixture.choose(itemWith: "Profile…")
    }
}
