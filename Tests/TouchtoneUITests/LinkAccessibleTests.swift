// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of links in messages that a screen reader has kept, while their message changes or leaves the conversation.
final class LinkAccessibleTests: GtkTestCase {
    func testLinkOfChangedTextIsGone() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("See https://example.org/a")
            fixture.settle()
            let links = try Self.links(in: fixture.widget)
            XCTAssertEqual(links.map(Self.isGone), [false])
            XCTAssertEqual(links.map(Self.address), ["0"])
            let row = try XCTUnwrap(fixture.messageLabel("See "))
            MessageLabel.setMarkup("nothing", hasLinks: false, of: row)
            XCTAssertEqual(links.map(Self.isGone), [true])
            XCTAssertEqual(links.map(Self.address), [nil])
            fixture.clear()
        }
    }

    func testLinkOfClosedConversationIsGone() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("https://example.org/a and https://example.org/b")
            fixture.settle()
            let links = try Self.links(in: fixture.widget)
            XCTAssertEqual(links.count, 2)
            fixture.clear()
            XCTAssertEqual(links.map(Self.isGone), [true, true])
            XCTAssertEqual(links.map(Self.address), [nil, nil])
            for link in links { XCTAssertNil(atk_object_get_parent(link.cast()), "they keep no label") }
        }
    }

    /// Returns the accessible objects of links below a widget.
    @MainActor
    private static func links(in widget: Widget) throws -> [GObjectRef] {
        HeldAccessibles.objects(in: widget).filter { atk_object_get_role($0.cast()) == ATK_ROLE_LINK }
    }

    /// Returns whether a link tells that it no longer exists.
    @MainActor
    private static func isGone(_ link: GObjectRef) -> Bool {
        guard let states = atk_object_ref_state_set(link.cast()) else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(states)) }
        return atk_state_set_contains_state(states, ATK_STATE_DEFUNCT) != 0
    }

    /// Returns the address of a link, which is its number in the message.
    @MainActor
    private static func address(_ link: GObjectRef) -> String? {
        guard let hyperlink = atk_hyperlink_impl_get_hyperlink(link.opaque) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(hyperlink)) }
        guard let address = atk_hyperlink_get_uri(hyperlink, 0) else { return nil }
        defer { g_free(address) }
        return String(cString: address)
    }
}

extension MessagePanelFixture {
    /// Returns the label of a message whose text starts with a text.
    fileprivate func messageLabel(_ text: String) -> Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && $0.text.hasPrefix(text)
                && gtk_style_context_has_class(gtk_widget_get_style_context($0), "message-text") != 0
        }
    }
}
