// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// How calls follow the setting of the tone plan.
final class TonePlanSettingTests: GtkTestCase {
    func testCallsSoundByThePlanThatIsChosen() throws {
        try onMainActor {
            let desk = try Desk()
            desk.settings[text: "tone-plan"] = "de"
            TonePlanSetting.follow(desk.settings, phone: desk.phone, resources: resources)
            XCTAssertEqual(desk.phone.calls.tonePlan?.country, "Germany")
            desk.settings[text: "tone-plan"] = "fr"
            XCTAssertEqual(desk.phone.calls.tonePlan?.country, "France")
            XCTAssertEqual(desk.status, "READY")
            desk.settings.reset("tone-plan")
            desk.clear()
        }
    }

    func testAPlanThatIsNotThereIsReplacedAndSaidOnce() throws {
        try onMainActor {
            let desk = try Desk()
            for name in ["xx", "", "../tone-plans/de"] {
                desk.settings[text: "tone-plan"] = name
                if name == "xx" {
                    TonePlanSetting.follow(desk.settings, phone: desk.phone, resources: resources)
                }
                XCTAssertEqual(desk.phone.calls.tonePlan, resources.tonePlan("us"), name)
                XCTAssertEqual(desk.status, "TONE PLAN NOT FOUND", name)
                desk.type("1")
                XCTAssertEqual(desk.status, "READY")
                desk.phone.clear()
            }
            desk.settings[text: "tone-plan"] = "jp"
            XCTAssertEqual(desk.phone.calls.tonePlan?.country, "Japan")
            XCTAssertEqual(desk.status, "READY")
            desk.settings.reset("tone-plan")
            desk.clear()
        }
    }
}

private let resources = Resources(folder: "\(Checkout.folder)/data")
