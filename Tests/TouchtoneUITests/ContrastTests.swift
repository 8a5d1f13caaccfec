// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the contrast of every text in the windows with what is drawn behind it, in each style.
final class ContrastTests: GtkTestCase {
    func testPhoneAndLock() throws {
        try inEachStyle { expect in
            let fixture = try PhoneWindowFixture()
            fixture.phone.paste("5558675309")
            handleEvents()
            try expect(fixture.widget, "phone")
            fixture.phone.dial()
            handleEvents()
            try expect(fixture.widget, "phone after a call")
            fixture.clear()
            let locked = try PhoneWindowFixture(passcode: "1234")
            try expect(locked.widget, "lock")
            locked.clear()
        }
    }

    func testMessages() throws {
        try inEachStyle { expect in
            let empty = try MessagePanelFixture(state: .signedOut)
            try expect(empty.widget, "panel without an account")
            empty.clear()
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.come("Are you there?")
            fixture.settle()
            try expect(fixture.widget, "buddies")
            fixture.service.groups.settings[MessagePanelFixture.grace] = RoomForm(
                instructions: "Fill it in.",
                fields: [
                    RoomForm.Field("name", label: "Name", .line("Tea")),
                    RoomForm.Field("public", label: "Public", .toggle(true)),
                    RoomForm.Field("owners", label: "Owners", .lines(["ada"])),
                ])
            let place = try XCTUnwrap(fixture.list("Buddies"))
            RoomSettings.show(MessagePanelFixture.grace, chat: fixture.chat, at: place, place: GdkRectangle())
            waitUntil("the form is filled in") { fixture.find("Name", ATK_ROLE_TEXT) != nil }
            // Selected text has the colours of the theme.
            try gtk_editable_select_region(
                OpaquePointer(XCTUnwrap(fixture.find("Name", ATK_ROLE_TEXT))), 0, 0)
            fixture.settle()
            try expect(try XCTUnwrap(fixture.popovers.first), "settings of a room")
            TransientPopover.cancel()
            fixture.settle()
            fixture.open()
            fixture.chat.selected?.draft = "Not yet"
            fixture.service.tell(.state(.waiting("The connection was lost.")))
            fixture.settle()
            try expect(fixture.widget, "conversation")
            fixture.clear()
        }
    }

    func testPeople() throws {
        try inEachStyle { expect in
            let calls = try CallsPageFixture(PastCall.some, areNew: true)
            try expect(calls.widget, "calls")
            calls.clear()
            let none = try CallsPageFixture(line: CallsPageFixture.exchange)
            try expect(none.widget, "no calls")
            none.clear()
            let contacts = try ContactsPageFixture()
            try expect(contacts.widget, "contacts")
            contacts.clear()
        }
    }

    func testPreferences() throws {
        try inEachStyle { expect in
            let fixture = try PreferencesFixture()
            try fixture.dressTheme()
            for page in PreferencesPageName.allCases {
                fixture.show(page)
                handleEvents()
                try expect(fixture.widget, "Preferences, \(page)")
            }
            fixture.clear()
        }
    }

    typealias Expectation = @MainActor (Widget, String) throws -> Void

    /// Runs a test in each style of the desktop.
    func inEachStyle(_ body: @MainActor (Expectation) throws -> Void) throws {
        try onMainActor {
            try drawingFully {
                for (theme, isDark, least) in [
                    ("Adwaita", false, 4.5), ("Adwaita", true, 4.5), ("HighContrast", false, 7),
                    ("HighContrastInverse", true, 7),
                ] {
                    let settings = try XCTUnwrap(gtk_settings_get_default())
                    cgtk_settings_set_text(settings, "gtk-theme-name", theme)
                    cgtk_settings_set_flag(settings, "gtk-application-prefer-dark-theme", isDark ? 1 : 0)
                    cgtk_settings_set_flag(settings, "gtk-enable-animations", 0)
                    defer {
                        for property in [
                            "gtk-theme-name", "gtk-application-prefer-dark-theme", "gtk-enable-animations",
                        ] {
                            gtk_settings_reset_property(settings, property)
                        }
                    }
                    try body { window, place in
                        handleEvents()
                        let readings = try ContrastMeter(window).read()
                        XCTAssertFalse(readings.isEmpty, place)
                        for reading in readings where reading.ratio < least {
                            XCTFail(
                                "\(theme)\(isDark ? ", dark" : ""), \(place): “\(reading.text)” has \(reading.ratio)"
                            )
                        }
                    }
                }
            }
        }
    }
}
