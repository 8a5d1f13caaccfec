// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the caller's picture in the display.
final class CallerPortraitTests: GtkTestCase {
    func testContactWithPictureIsShownInDots() throws {
        try onMainActor {
            let fixture = try shown(people())
            let line = fixture.talkingLine()
            let places = fixture.rowPlaces
            line.offer("5551234")
            handleEvents()
            XCTAssertEqual(fixture.display, "GRACE")
            let portrait = try XCTUnwrap(fixture.portrait, "its place is there before the picture is read")
            XCTAssertEqual(fixture.frame(of: portrait).suffix(2), [66, 66])
            let beside = places.map { [$0[0] + 78, $0[1], $0[2] - 78, $0[3]] }
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertEqual(fixture.rowPlaces, beside)
            waitUntil("the picture is drawn") { Ink(of: portrait).greatest > 60 }
            XCTAssertEqual(fixture.rowPlaces, beside, "no row moves then")
            let accessible = gtk_widget_get_accessible(portrait)
            XCTAssertNil(atk_object_get_name(accessible), "the name is beside it")
            XCTAssertEqual(atk_object_get_role(accessible), ATK_ROLE_FILLER)
            fixture.phone.answer()
            line.calls[0].onEvent?(.answered)
            handleEvents()
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertNil(fixture.portrait)
            XCTAssertEqual(fixture.rowPlaces, places)
            fixture.clear()
        }
    }

    func testOthersHaveWholeDisplay() throws {
        try onMainActor {
            let fixture = try shown(people())
            let line = fixture.talkingLine()
            let places = fixture.rowPlaces
            for (index, number) in ["5555678", "5559999"].enumerated() {
                line.offer(number)
                handleEvents()
                XCTAssertNil(fixture.portrait)
                XCTAssertEqual(fixture.rowPlaces, places)
                line.calls[index].onEvent?(.ended(.farEnd))
                handleEvents()
            }
            fixture.clear()
        }
    }

    func testPortraitStandsAtRightOfRightToLeftName() throws {
        try onMainActor {
            let fixture = try shown(people(named: "غريس هوبر"))
            let line = fixture.talkingLine()
            let places = fixture.rowPlaces
            line.offer("5551234")
            handleEvents()
            gtk_test_widget_wait_for_draw(fixture.widget)
            let portrait = try XCTUnwrap(fixture.portrait)
            XCTAssertEqual(fixture.frame(of: portrait)[0], places[0][0] + places[0][2] - 66)
            XCTAssertEqual(fixture.rowPlaces, places.map { [$0[0], $0[1], $0[2] - 78, $0[3]] })
            fixture.clear()
        }
    }

    func testBrokenPictureLeavesDarkDots() throws {
        try onMainActor {
            let fixture = try shown(people(photo: [1, 2, 3]))
            let line = fixture.talkingLine()
            line.offer("5551234")
            handleEvents()
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertLessThan(Ink(of: try XCTUnwrap(fixture.portrait)).greatest, 30)
            XCTAssertEqual(fixture.display, "GRACE")
            fixture.clear()
        }
    }

    func testLockTakesPortraitAway() throws {
        try onMainActor {
            let fixture = try shown(people(), passcode: "1234")
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            let line = fixture.talkingLine()
            line.offer("5551234")
            handleEvents()
            XCTAssertNotNil(fixture.portrait)
            XCTAssert(fixture.lock.lock())
            handleEvents()
            XCTAssertNil(fixture.portrait)
            fixture.clear()
        }
    }

    func testLevelsFillRange() {
        onMainActor {
            let ramp = (0..<100).map { 0.3 + 0.4 * Double($0) / 99 }
            let levels = PortraitLevels.levels(of: ramp)
            XCTAssertEqual([levels.first, levels.last], [0, 8])
            XCTAssertEqual(levels, levels.sorted())
            XCTAssertEqual(Set(levels), Set(0...8), "each step is used")
            let plain = PortraitLevels.levels(of: Array(repeating: 0.5, count: 9))
            XCTAssertEqual(Set(plain).count, 1)
            XCTAssertEqual(Set(PortraitLevels.levels(of: Array(repeating: 0, count: 9))), [0])
            XCTAssertEqual(Set(PortraitLevels.levels(of: Array(repeating: 1, count: 9))), [8])
        }
    }
}

/// Contacts, the first of which has a picture.
@MainActor
private func people(named name: String = "Grace", photo: [UInt8]? = nil) -> People {
    People([
        NewContact(
            ContactCard(name: name, methods: [ContactMethod(.number, "555-1234")]),
            photo: photo ?? png(width: 40, height: 30)),
        NewContact(ContactCard(name: "Ada", methods: [ContactMethod(.number, "555-5678")])),
    ])
}

/// Shows a phone that knows the names of its contacts.
@MainActor
private func shown(_ people: People, passcode: String? = nil) throws -> PhoneWindowFixture {
    let fixture = try PhoneWindowFixture(passcode: passcode, directory: people.directory)
    let book = people.book
    fixture.phone.nameOf = { book.name(for: $0) }
    return fixture
}

extension PhoneWindowFixture {
    /// The visible portrait; nil if there is none.
    var portrait: Widget? {
        descendants(of: window.display.widget).first {
            cgtk_instance_is_a($0, gtk_box_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                && gtk_style_context_has_class(gtk_widget_get_style_context($0), "led-row") != 0
        }
    }

    fileprivate var rowPlaces: [[gint]] {
        ["Status", "Number display", "Caption"].map { frame(of: row(of: $0)) }
    }
}
