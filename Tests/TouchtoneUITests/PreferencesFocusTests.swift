// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that what is typed in Preferences goes to the field with the focus, and nowhere else.
final class PreferencesFocusTests: GtkTestCase {
    func testTabGoesFromAddressToPassword() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            gtk_widget_grab_focus(fixture.field("Jabber Address"))
            fixture.type("ada")
            fixture.type(GDK_KEY_Tab)
            fixture.type("secret")
            XCTAssertEqual(fixture.text("Password"), "secret")
            XCTAssertEqual(fixture.text("Jabber Address"), "ada")
            XCTAssertFalse(fixture.isSearching)
            fixture.type(GDK_KEY_Tab, with: Modifier.shift)
            fixture.type("x")
            XCTAssertFalse(fixture.text("Jabber Address") == "ada", "Shift+Tab goes back to the field")
            fixture.clear()
        }
    }

    func testPasswordsOfLinesAreReachedByTab() throws {
        try onMainActor {
            let telephone = FakeTelephone(
                TelephoneAccount(id: "id-0", address: "sip:ada@example.org", state: .connecting))
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            fixture.activate("Add Account…")
            gtk_widget_grab_focus(fixture.field("SIP Address"))
            fixture.type("ada")
            fixture.type(GDK_KEY_Tab)
            fixture.type("secret")
            XCTAssertEqual(fixture.secrets, ["secret"])
            XCTAssertFalse(fixture.isSearching)
            fixture.clear()
        }
    }

    func testTypingOpensNoSearchWhereverFocusIs() throws {
        try onMainActor {
            for page in PreferencesPageName.allCases {
                let telephone = FakeTelephone(
                    TelephoneAccount(id: "id-0", address: "sip:ada@example.org", state: .connecting))
                let fixture = try PreferencesFixture(page: page, telephone: telephone)
                Clipboard.write("secret")
                gtk_window_set_focus(fixture.widget.cast(), nil)
                var stops: Set<Widget> = []
                while true {
                    fixture.type(GDK_KEY_Tab)
                    guard let focus = gtk_window_get_focus(fixture.widget.cast()),
                        stops.insert(focus).inserted
                    else { break }
                    let row = gtk_widget_get_ancestor(focus, hdy_action_row_get_type())
                    if row == focus {
                        XCTAssertFalse(
                            hdy_action_row_get_activatable_widget(focus.cast())?.takesText == true,
                            "\(page): \(accessibleName(of: focus) ?? "") stops before its field")
                    }
                    fixture.type("q")
                    fixture.type(GDK_KEY_Insert, with: Modifier.shift)
                    XCTAssertFalse(fixture.isSearching, "\(page): \(accessibleName(of: focus) ?? "")")
                    XCTAssertEqual(gtk_window_get_focus(fixture.widget.cast()), focus)
                }
                XCTAssertGreaterThan(stops.count, 1, "\(page)")
                fixture.clear()
            }
        }
    }

    func testAccountIsStartedInItsAddress() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(telephone: FakeTelephone())
            for (page, name) in [(PreferencesPageName.messages, "Jabber Address"), (.lines, "SIP Address")] {
                fixture.preferences.show(page, over: nil, startsAccount: true)
                waitUntil("\(name) has the focus") {
                    gtk_window_get_focus(fixture.widget.cast()).flatMap { accessibleName(of: $0) } == name
                }
            }
            fixture.show(.lock)
            let focus = try XCTUnwrap(gtk_window_get_focus(fixture.widget.cast()))
            XCTAssertNotEqual(
                gtk_widget_is_ancestor(focus, try XCTUnwrap(fixture.page)), 0, "the focus is in the page")
            fixture.clear()
        }
    }

    func testNarrowWindowShowsListOrPage() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            let page = { (title: String) in
                fixture.row(title).flatMap { gtk_widget_get_ancestor($0, hdy_preferences_page_get_type()) }
            }
            let lock = try XCTUnwrap(
                descendants(of: fixture.widget).first {
                    accessibleName(of: $0) == "Lock"
                        && cgtk_instance_is_a($0, gtk_radio_button_get_type()) != 0
                        && gtk_widget_get_mapped($0) != 0
                })
            fixture.click(lock)
            XCTAssertEqual(fixture.page, page("Lock After"))
            gtk_window_resize(fixture.widget.cast(), 400, 650)
            waitUntil("the list gives way") { gtk_widget_get_mapped(lock) == 0 }
            XCTAssertEqual(page("Lock After").map { gtk_widget_get_mapped($0) }, 1)
            waitUntil("there is a way back") { fixture.find("Back", ATK_ROLE_PUSH_BUTTON) != nil }
            fixture.click(fixture.find("Back", ATK_ROLE_PUSH_BUTTON))
            waitUntil("the list is shown") { gtk_widget_get_mapped(lock) != 0 }
            // The list is there from the beginning of the change on, and the page until its end.
            waitUntil("the page gives way") { page("Lock After").map { gtk_widget_get_mapped($0) } == 0 }
            waitUntil("the list has the focus") { gtk_window_get_focus(fixture.widget.cast()) == lock }
            fixture.type(GDK_KEY_Return)
            waitUntil("the page is shown") {
                gtk_widget_get_mapped(lock) == 0 && page("Lock After").map { gtk_widget_get_mapped($0) } == 1
            }
            fixture.type("f", with: Modifier.control)
            waitUntil("the search is open") { fixture.isSearching }
            fixture.show(.phone)
            XCTAssertEqual(page("Pulse Dialling"), fixture.page)
            gtk_window_resize(fixture.widget.cast(), 690, 650)
            waitUntil("both are shown") {
                gtk_widget_get_mapped(lock) != 0
                    && page("Pulse Dialling").map { gtk_widget_get_mapped($0) } == 1
            }
            fixture.clear()
        }
    }

    func testSearchOpensWhenAskedFor() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.type("f", with: Modifier.control)
            waitUntil("the search is open") { fixture.isSearching }
            fixture.clear()
        }
    }

    func testFieldIsDescribedAsItsRow() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            let row = try XCTUnwrap(fixture.row("Gateway for Phone Numbers"))
            let field = descendants(of: row).first { $0.takesText }
            let described = String(
                cString: atk_object_get_description(gtk_widget_get_accessible(try XCTUnwrap(field))))
            XCTAssertEqual(described, String(cString: hdy_action_row_get_subtitle(row.cast())))
            XCTAssertNotEqual(described, "")
            hdy_action_row_set_subtitle(row.cast(), "Another one")
            XCTAssertEqual(fixture.description(of: field), "Another one")
            fixture.clear()
        }
    }
}

extension PreferencesFixture {
    /// Whether the search is open.
    fileprivate var isSearching: Bool {
        descendants(of: widget).contains {
            cgtk_instance_is_a($0, gtk_search_entry_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
    }

    /// The texts in the fields that hide them, without the empty ones.
    fileprivate var secrets: [String] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_entry_get_visibility($0.cast()) == 0
        }.map { String(cString: gtk_entry_get_text($0.cast())) }.filter { !$0.isEmpty }
    }
}
