// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the settings of a room in the panel.
final class RoomSettingsPanelTests: GtkTestCase {
    private static let tea = RoomPanelTests.tea
    private static let options = ["moderators", "anyone"].map { RoomForm.Option($0, label: "To \($0)") }
    private static let form = RoomForm(
        instructions: "Fill it in.",
        fields: [
            RoomForm.Field("FORM_TYPE", label: "", .hidden(["config"])),
            RoomForm.Field("", label: "About", .note),
            RoomForm.Field("name", label: "Name", .line("Tea")),
            RoomForm.Field("public", label: "Public", .toggle(true)),
            RoomForm.Field("password", label: "Password", .secret("scone")),
            RoomForm.Field("whois", label: "Addresses", .one("anyone", of: options)),
            RoomForm.Field("history", label: "History", .one("", of: options)),
            RoomForm.Field("show", label: "Show", .any(["moderators"], of: options)),
            RoomForm.Field("owners", label: "Owners", .lines(["ada", "", "alan"])),
        ])

    func testSettingsAreOfferedToOwnersOnly() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let cases: [(RoomRights, Bool)] = [([.speak, .kick, .ban], false), ([.speak, .own], true)]
            for (rights, isOffered) in cases {
                fixture.service.tell(
                    .room(Room(RoomPanelTests.record, standing: .joined, rights: rights)))
                waitUntil("it is a row") {
                    fixture.chat.buddies.row(of: Self.tea)?.room?.rights == rights
                        && fixture.row("Buddies", "tea") != nil
                }
                fixture.settle()
                fixture.click(fixture.row("Buddies", "tea"), button: 3)
                waitUntil("its menu is open") { fixture.menuItems.contains("People…") }
                XCTAssertEqual(fixture.menuItems.contains("Room Settings…"), isOffered)
                fixture.type(GDK_KEY_Escape)
                waitUntil("its menu is closed") { fixture.menuItems.isEmpty }
            }
            fixture.clear()
        }
    }

    func testSettingsAreChanged() throws {
        try onMainActor {
            let fixture = try Self.opened()
            let calls = { fixture.service.groups.calls }
            XCTAssert(fixture.labels(in: fixture.widget).contains("Fill it in."))
            let password = try XCTUnwrap(fixture.find("Password", ATK_ROLE_PASSWORD_TEXT))
            XCTAssertEqual(gtk_entry_get_visibility(password.cast()), 0)
            gtk_entry_set_text(try XCTUnwrap(fixture.find("Name", ATK_ROLE_TEXT)).cast(), "Coffee")
            let check = try XCTUnwrap(fixture.find("Public", ATK_ROLE_CHECK_BOX))
            gtk_toggle_button_set_active(check.cast(), 0)
            fixture.service.groups.error = .refused("This isn’t allowed.")
            fixture.click(fixture.button("Save"))
            waitUntil("the refusal is shown") {
                fixture.labels(in: fixture.widget).contains("This isn’t allowed.")
            }
            fixture.service.groups.error = nil
            fixture.click(fixture.button("Save"))
            var changed = Self.form
            changed.fields[2].answer = .line("Coffee")
            changed.fields[3].answer = .toggle(false)
            waitUntil("it is sent") {
                calls() == [.settings(changed, Self.tea), .settings(changed, Self.tea)]
            }
            waitUntil("the form is closed") { fixture.popovers.isEmpty }
            fixture.clear()
        }
    }

    func testClosingTheFormChangesNothing() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.type(GDK_KEY_Escape)
            waitUntil("the form is closed") { fixture.popovers.isEmpty }
            XCTAssertEqual(fixture.service.groups.calls, [])
            fixture.clear()
        }
    }

    /// A server names the fields; the panel is narrower than many of its texts.
    func testLongTextsOfServerFitNarrowPanel() throws {
        try onMainActor {
            defer { setTextScale(1) }
            for scale: gint in [1, 2] {
                setTextScale(scale)
                for word in ["Who may see the addresses of the people here ", "Sichtbarkeitseinstellungen"] {
                    let long = String(repeating: word, count: 8)
                    let options = ["a", "b"].map { RoomForm.Option($0, label: long) }
                    let form = RoomForm(
                        instructions: long,
                        fields: [
                            RoomForm.Field("", label: long, .note),
                            RoomForm.Field("name", label: long, .line(long)),
                            RoomForm.Field("public", label: long, .toggle(true)),
                            RoomForm.Field("whois", label: long, .one("", of: options)),
                            RoomForm.Field("show", label: long, .any([], of: options)),
                            RoomForm.Field("owners", label: long, .lines([long])),
                        ])
                    let fixture = try Self.opened(form, width: 360)
                    let popover = try XCTUnwrap(fixture.popovers.first)
                    fixture.settle()
                    XCTAssertLessThanOrEqual(gtk_widget_get_allocated_width(popover), 360, "text \(scale)x")
                    for label in descendants(of: popover)
                    where cgtk_instance_is_a(label, gtk_label_get_type()) != 0
                        && gtk_widget_get_mapped(label) != 0
                    {
                        var width: gint = 0
                        pango_layout_get_pixel_size(gtk_label_get_layout(label.cast()), &width, nil)
                        XCTAssertLessThanOrEqual(width, gtk_widget_get_allocated_width(label))
                    }
                    fixture.clear()
                }
            }
        }
    }

    func testRefusedSettingsGiveTheReason() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let reason = "Only the owners of this room can change its settings."
            fixture.service.groups.error = .refused(reason)
            RoomSettings.show(
                Self.tea, chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")),
                place: GdkRectangle())
            waitUntil("the reason is shown") { fixture.labels(in: fixture.widget).contains(reason) }
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    @MainActor
    private static func opened(_ form: RoomForm = form, width: gint = 406) throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture(width: width)
        fixture.meet()
        fixture.service.groups.settings[Self.tea] = form
        RoomSettings.show(
            Self.tea, chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")), place: GdkRectangle())
        let name = form.fields.first { if case .line = $0.answer { true } else { false } }?.label ?? ""
        waitUntil("the form is filled in") { fixture.find(name, ATK_ROLE_TEXT) != nil }
        return fixture
    }
}
