// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that calls follow the tone plan setting.
final class TonePlanSettingTests: GtkTestCase {
    func testCallsUseChosenTonePlan() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.settings[text: "tone-plan"] = "de"
            TonePlanSetting.follow(fixture.settings, phone: fixture.phone, resources: resources)
            XCTAssertEqual(fixture.phone.calls.tonePlan?.country, "Germany")
            fixture.settings[text: "tone-plan"] = "fr"
            XCTAssertEqual(fixture.phone.calls.tonePlan?.country, "France")
            XCTAssertEqual(fixture.status, "READY")
            fixture.settings.reset("tone-plan")
            fixture.clear()
        }
    }

    func testMissingPlanIsReplacedAndReportedOnce() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            for name in ["xx", "", "../tone-plans/de"] {
                fixture.settings[text: "tone-plan"] = name
                if name == "xx" {
                    TonePlanSetting.follow(fixture.settings, phone: fixture.phone, resources: resources)
                }
                XCTAssertEqual(fixture.phone.calls.tonePlan, resources.tonePlan("us"), name)
                XCTAssertEqual(fixture.status, "TONE PLAN NOT FOUND", name)
                fixture.type("1")
                XCTAssertEqual(fixture.status, "READY")
                fixture.phone.clear()
            }
            fixture.settings[text: "tone-plan"] = "jp"
            XCTAssertEqual(fixture.phone.calls.tonePlan?.country, "Japan")
            XCTAssertEqual(fixture.status, "READY")
            fixture.settings.reset("tone-plan")
            fixture.clear()
        }
    }
}

private let resources = Resources(folder: "\(Checkout.folder)/data")
