// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import XCTest

/// Tests of the whole program in a Wayland session: the scenarios that need no pointer and no key held down.
///
/// There, any warning of GTK or GDK is a failure.
final class WaylandTests: XCTestCase {
    func testNamesAndRoles() throws { try run("names_and_roles") }
    func testTypeNumber() throws { try run("type_number") }
    func testKeyboardOnly() throws { try run("keyboard_only") }
    func testPaste() throws { try run("paste") }
    func testSingleInstance() throws { try run("single_instance") }
    func testLinkNeverDials() throws { try run("link_never_dials") }
    func testDial() throws { try run("dial") }
    func testPreferences() throws { try run("preferences") }
    func testPasscodeInPreferences() throws { try run("passcode_in_preferences") }
    func testEveryKey() throws { try run("every_key") }
    func testPracticeExchange() throws { try run("practice_exchange") }
    func testCallKeys() throws { try run("call_keys") }
    func testCallLocked() throws { try run("call_locked") }
    func testCallNotifications() throws { try run("call_notifications") }
    func testLockOpens() throws { try run("lock_opens") }
    func testLockByKeyAndAction() throws { try run("lock_by_key_and_action") }

    func testEveryScenarioIsATest() throws {
        let list = try Driver.call(["scenarios.py", "--wayland", "--list"]).output
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        for name in list.split(separator: "\n") {
            XCTAssert(source.contains("try run(\"\(name)\")"), "no test runs the scenario \(name)")
        }
    }

    private func run(_ scenario: String) throws {
        try Driver.check(["scenarios.py", "--program", Driver.program, "--wayland", scenario])
    }
}
