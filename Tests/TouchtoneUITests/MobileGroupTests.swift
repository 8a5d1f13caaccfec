// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Phones that the test connects.
@MainActor
private final class FakePhones: MobilePhones {
    var phones: [MobilePhone] = [] { didSet { observers.notify(()) } }
    var isOffered: Bool? { didSet { observers.notify(()) } }
    private let observers = Observers<Void>()

    func start() {}
    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }
}

/// Tests of the mobile phones in Preferences.
final class MobileGroupTests: GtkTestCase {
    func testPhonesAreListedWithTheirBatteries() throws {
        try onMainActor {
            let mobiles = FakePhones()
            let fixture = try PreferencesFixture(page: .lines, mobiles: mobiles)
            mobiles.isOffered = true
            XCTAssertTrue(shows("None is connected now", in: fixture))
            mobiles.phones = [
                MobilePhone(id: "a", name: "Ada’s <b> _Phone", isConnected: true, battery: 80),
                MobilePhone(id: "b", name: "Work", isConnected: false, battery: nil),
                MobilePhone(id: "c", name: "Old", isConnected: true, battery: nil),
            ]
            XCTAssertFalse(shows("None is connected now", in: fixture))
            XCTAssertEqual(fixture.subtitle("Ada’s <b> _Phone"), "Connected, battery 80 %")
            XCTAssertEqual(fixture.subtitle("Work"), "The phone is not connected.")
            XCTAssertEqual(fixture.subtitle("Old"), "Connected")
            mobiles.phones = []
            XCTAssertNil(fixture.row("Work"))
            fixture.clear()
        }
    }

    func testOlderPipeWireIsTheReason() throws {
        try onMainActor {
            let mobiles = FakePhones()
            let fixture = try PreferencesFixture(page: .lines, mobiles: mobiles)
            XCTAssertFalse(shows("needs PipeWire 1.4", in: fixture), "it is not known yet")
            mobiles.isOffered = false
            XCTAssertTrue(shows("needs PipeWire 1.4", in: fixture))
            fixture.clear()
        }
    }
}

/// Returns whether a label of the page has a text.
@MainActor
private func shows(_ text: String, in fixture: PreferencesFixture) -> Bool {
    descendants(of: fixture.widget).contains { widget in
        guard cgtk_instance_is_a(widget, gtk_label_get_type()) != 0 else { return false }
        return gtk_label_get_text(widget.cast()).map { String(cString: $0).contains(text) } ?? false
    }
}
