// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the window that asks about encrypted messages that cannot be opened.
final class StoreKeyQuestionTests: GtkTestCase {
    @MainActor
    private final class Fixture {
        let phone: PhoneWindowFixture
        let protection = StoreProtection()
        let question: StoreKeyQuestion
        let quits = Variable(0)
        private(set) var decisions: [StoreKeyDecision] = []

        init(passcode: String? = nil) throws {
            phone = try PhoneWindowFixture(passcode: passcode)
            question = StoreKeyQuestion(
                protection, lock: phone.lock, over: phone.window.window, prepare: {},
                quit: { [quits] in quits.value += 1 })
        }

        func ask(_ problem: StoreKeyProblem) {
            // The store's thread would continue.
            protection.ask(problem) { [weak self] decision in
                MainActor.assumeIsolated { self?.decisions.append(decision) }
            }
        }

        /// The texts of the labels that are not in buttons.
        var text: String {
            guard let window = question.alert?.window else { return "" }
            return descendants(of: window).filter { cgtk_instance_is_a($0, gtk_label_get_type()) != 0 }
                .first.map { $0.text } ?? ""
        }

        func button(_ label: String) throws -> Widget {
            let window = try XCTUnwrap(question.alert?.window)
            return try XCTUnwrap(
                descendants(of: window).first {
                    cgtk_instance_is_a($0, gtk_button_get_type()) != 0
                        && gtk_button_get_label($0.cast()).map { String(cString: $0) } == label
                }, label)
        }

        func press(_ label: String) throws {
            gtk_button_clicked(try button(label).cast())
            handleEvents()
        }
    }

    func testEachProblemIsSaid() throws {
        try onMainActor {
            let fixture = try Fixture()
            XCTAssertNil(fixture.question.alert, "it asks although nothing is wrong")
            for (problem, words) in [
                (.missing, "your keyring does not have their key"),
                (.wrong, "is not their key"),
                (.noKeyring("no bus"), "there is no keyring"),
                (.keyringRefused("it is locked"), "has not given their key: it is locked"),
                (.noLibrary("too old"), "SQLCipher 4.5 or later"),
            ] as [(StoreKeyProblem, String)] {
                fixture.ask(problem)
                XCTAssert(fixture.text.contains(words), fixture.text)
                XCTAssert(fixture.text.contains("Nothing is lost"), fixture.text)
                try fixture.press("Try Again")
                XCTAssertNil(fixture.question.alert)
            }
            XCTAssertEqual(fixture.decisions, Array(repeating: .tryAgain, count: 5))
            fixture.phone.clear()
        }
    }

    func testGoingOnNamesTheKeptFile() throws {
        try onMainActor {
            let fixture = try Fixture()
            fixture.ask(.missing)
            try fixture.press("Go On Without Them")
            XCTAssertEqual(fixture.decisions, [.goOnWithout])
            fixture.protection.wentOn(without: "~/messages-locked-2026.db")
            XCTAssert(fixture.text.contains("“~/messages-locked-2026.db”"), fixture.text)
            let label = try XCTUnwrap(gtk_bin_get_child(fixture.button("Close").cast()))
            waitUntil("the window is drawn") { gtk_widget_get_allocated_width(label) > 1 }
            XCTAssertEqual(pango_layout_get_line_count(gtk_label_get_layout(label.cast())), 1)
            try fixture.press("Close")
            XCTAssertNil(fixture.question.alert)
            XCTAssertNil(fixture.protection.setAside)
            fixture.phone.clear()
        }
    }

    func testClosingDecidesNothing() throws {
        try onMainActor {
            let fixture = try Fixture()
            fixture.ask(.missing)
            gtk_window_close(try XCTUnwrap(fixture.question.alert).window.cast())
            waitUntil("it is closed") { fixture.question.alert == nil }
            XCTAssertEqual(fixture.decisions, [])
            XCTAssertEqual(fixture.protection.problem, .missing)
            fixture.question.present()
            try fixture.press("Quit")
            XCTAssertEqual(fixture.quits.value, 1)
            XCTAssertEqual(fixture.decisions, [])
            fixture.question.present()
            try fixture.press("Try Again")
            XCTAssertEqual(fixture.decisions, [.tryAgain])
            fixture.phone.clear()
        }
    }

    func testLockedPhoneLetsNobodyGoOn() throws {
        try onMainActor {
            let fixture = try Fixture(passcode: "1234")
            fixture.ask(.missing)
            XCTAssertEqual(gtk_widget_get_sensitive(try fixture.button("Go On Without Them")), 0)
            XCTAssertEqual(gtk_widget_get_sensitive(try fixture.button("Try Again")), 1)
            XCTAssert(fixture.text.contains("unlock the phone first"), fixture.text)
            fixture.phone.focus()
            fixture.phone.type("1234")
            waitUntil("the phone is open") { !fixture.phone.lock.isLocked }
            XCTAssertEqual(gtk_widget_get_sensitive(try fixture.button("Go On Without Them")), 1)
            XCTAssertFalse(fixture.text.contains("unlock"), fixture.text)
            fixture.phone.clear()
        }
    }
}
