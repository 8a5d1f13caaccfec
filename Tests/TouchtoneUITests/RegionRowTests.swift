// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the list of countries for the region.
final class RegionRowTests: GtkTestCase {
    func testCountryIsFoundAndChosen() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            XCTAssertEqual(choice(in: fixture), "System (United Kingdom)")
            try open(fixture)
            XCTAssertEqual(
                shown(in: fixture), ["System (United Kingdom)", "Germany", "Côte d’Ivoire", "United Kingdom"])
            for (typed, found) in [
                ("germ", ["Germany"]), ("cote", ["Côte d’Ivoire"]), ("+49", ["Germany"]),
                ("ci", ["Côte d’Ivoire"]),
                ("king", ["System (United Kingdom)", "United Kingdom"]), ("zzz", []),
            ] {
                fixture.fill("Search countries", typed)
                XCTAssertEqual(shown(in: fixture), found, typed)
            }
            XCTAssert(fixture.labels.contains("No matching countries."))
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.settings[text: "region"], "", "nothing was found")
            fixture.fill("Search countries", "germ")
            fixture.type(GDK_KEY_Return)
            waitUntil("Germany is chosen") { fixture.settings[text: "region"] == "DE" }
            XCTAssertEqual(choice(in: fixture), "Germany")
            waitUntil("the list is closed") { fixture.field("Search countries") == nil }
            fixture.clear()
        }
    }

    func testArrowKeysReachSystemRegion() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.settings[text: "region"] = "DE"
            XCTAssertEqual(choice(in: fixture), "Germany")
            try open(fixture)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            waitUntil("the system's region is chosen") { fixture.settings[text: "region"] == "" }
            fixture.clear()
        }
    }

    func testUnknownCodeIsShownAndKept() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.settings[text: "region"] = "gb"
            XCTAssertEqual(choice(in: fixture), "United Kingdom")
            fixture.settings[text: "region"] = "QQ"
            XCTAssertEqual(choice(in: fixture), "QQ (not found)")
            try open(fixture)
            fixture.type(GDK_KEY_Escape)
            waitUntil("the list is closed") { fixture.field("Search countries") == nil }
            XCTAssertEqual(fixture.settings[text: "region"], "QQ")
            fixture.clear()
        }
    }
}

@MainActor
private func button(in fixture: PreferencesFixture) throws -> Widget {
    try XCTUnwrap(fixture.control("Region", type: gtk_button_get_type()))
}

@MainActor
private func choice(in fixture: PreferencesFixture) -> String {
    (try? button(in: fixture)).flatMap { atk_object_get_description(gtk_widget_get_accessible($0)) }
        .map { String(cString: $0) } ?? ""
}

@MainActor
private func open(_ fixture: PreferencesFixture) throws {
    gtk_button_clicked(try button(in: fixture).cast())
    waitUntil("the list is open") { fixture.field("Search countries") != nil }
}

/// Returns the names of the visible rows of the list.
@MainActor
private func shown(in fixture: PreferencesFixture) -> [String] {
    guard let list = descendants(of: fixture.widget).first(where: { accessibleName(of: $0) == "Countries" })
    else {
        return []
    }
    return descendants(of: list).filter {
        cgtk_instance_is_a($0, gtk_list_box_row_get_type()) != 0 && gtk_widget_get_visible($0) != 0
    }.map { accessibleName(of: $0) ?? "" }
}
