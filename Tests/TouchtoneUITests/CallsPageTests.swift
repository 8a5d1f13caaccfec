// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the contents of the page of calls and of its search.
final class CallsPageTests: GtkTestCase {
    func testRowsAreNamedByPartyOutcomeAndTime() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            let time = { (minutes: Int) in
                LocaleStamps().time(ChatTime(milliseconds: 1_315_870_461_000 - Int64(minutes) * 60_000))
            }
            let date = try XCTUnwrap(LocaleTime(seconds: 1_315_870_461 - 180_000)).date
            XCTAssertEqual(
                fixture.calls,
                [
                    "Grace, missed, \(time(30))", "555-0104, declined, \(time(40))",
                    "+442079460958, incoming, \(time(50)), 1:02:05", "555-0100, outgoing, \(time(60)), busy",
                    "Grace, outgoing, \(date) \(time(3000)), 0:42",
                ])
            XCTAssertEqual(
                fixture.description(of: fixture.row("Calls", "Grace, missed")), "(555) 867-5309, LINE 2")
            fixture.clear()
        }
    }

    /// A call that never rang, such as one without encryption, is explained.
    func testMissedCallThatFailedHasItsReason() throws {
        try onMainActor {
            let fixture = try CallsPageFixture([
                .made(.incoming, "5550104", end: .notEncrypted),
                .made(.outgoing, "5550105", minutesAgo: 1, end: .failed("")),
            ])
            XCTAssertEqual(
                fixture.description(of: fixture.row("Calls", "555-0104, missed")),
                "LINE 2, the sound could not be encrypted")
            XCTAssertEqual(fixture.description(of: fixture.row("Calls", "555-0105, outgoing")), "LINE 2")
            fixture.clear()
        }
    }

    func testCallThatWasPickedUpIsNamed() throws {
        try onMainActor {
            let fixture = try CallsPageFixture([
                .made(.pickedUp, "103", name: "Grace", seconds: 42),
                .made(.pickedUp, "102", minutesAgo: 1, end: .notAvailable),
            ])
            XCTAssertEqual(fixture.calls.map { $0.split(separator: ",")[1] }, [" picked up", " outgoing"])
            XCTAssertEqual(fixture.calls[0].hasSuffix(", 0:42"), true)
            XCTAssertEqual(fixture.calls[1].hasSuffix(", not available"), true)
            XCTAssert(fixture.texts.contains { $0.hasPrefix("Picked up") }, "\(fixture.texts)")
            fixture.clear()
        }
    }

    func testDayHeaderPrecedesItsFirstCall() throws {
        try onMainActor {
            let day = 24 * 60
            let calls = [3 * day, day, day - 1, 1, 0].map {
                PastCall.made(.outgoing, "555010\($0 % 10)", minutesAgo: $0)
            }
            let fixture = try CallsPageFixture(calls)
            let date = try XCTUnwrap(LocaleTime(seconds: 1_315_870_461 - Int64(3 * day * 60))).date
            XCTAssertEqual(fixture.days, ["Today", "Yesterday", date])
            // The day ends.
            fixture.wall.now = ChatTime(milliseconds: fixture.wall.now.milliseconds + Int64(day) * 60_000)
            fixture.panel.isInView = true
            fixture.settle()
            XCTAssertEqual(fixture.days.first, "Yesterday")
            fixture.clear()
        }
    }

    func testCallAppearsAtTopWhenItEnds() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.store.add(.made(.outgoing, "5550111", end: .noAnswer)) { _ in }
            fixture.history.reload()
            fixture.settle()
            XCTAssertEqual(fixture.calls.first?.hasPrefix("555-0111, outgoing"), true)
            XCTAssertEqual(fixture.days.filter { $0 == "Today" }.count, 1)
            fixture.clear()
        }
    }

    func testNewestCallsAreInSightWhenPageIsOpenedAgain() throws {
        try onMainActor {
            let calls = (0..<60).map { PastCall.made(.incoming, "5551\(100 + $0)", minutesAgo: 100 - $0) }
            let fixture = try CallsPageFixture(calls)
            fixture.panel.isInView = true
            fixture.enter()
            fixture.settle()
            for _ in 0..<30 { fixture.type(GDK_KEY_Down) }
            fixture.settle()
            XCTAssertFalse(fixture.calls.contains { $0.hasPrefix("555-1159") }, "the newest is out of sight")
            fixture.panel.isInView = false
            fixture.panel.isInView = true
            fixture.settle()
            XCTAssertFalse(fixture.calls.contains { $0.hasPrefix("555-1159") }, "nothing came since")
            gtk_window_set_focus(fixture.widget.cast(), nil)
            fixture.panel.isInView = false
            fixture.miss("5551999")
            fixture.settle()
            fixture.panel.isInView = true
            fixture.settle()
            XCTAssertEqual(fixture.calls.first?.hasPrefix("555-1999, missed"), true)
            fixture.panel.focusPage()
            fixture.settle()
            XCTAssertEqual(fixture.calls.first?.hasPrefix("555-1999, missed"), true, "the focus is there")
            fixture.clear()
        }
    }

    func testRowsAreInOrderOfTheirBeginning() throws {
        try onMainActor {
            // The call of an hour ago ended after those that came meanwhile.
            let calls: [PastCall] = [
                .made(.incoming, "5550102", minutesAgo: 30), .made(.incoming, "5550103", minutesAgo: 10),
                .made(.outgoing, "5550101", minutesAgo: 60, seconds: 3500),
                .made(.incoming, "5550104", minutesAgo: 1),
            ]
            let fixture = try CallsPageFixture(calls)
            XCTAssertEqual(
                fixture.calls.map { String($0.prefix(8)) }, ["555-0104", "555-0103", "555-0102", "555-0101"])
            fixture.clear()
        }
    }

    func testContactNamesAreShown() throws {
        try onMainActor {
            let ada = NewContact(ContactCard(name: "Ada", methods: [ContactMethod(.number, "555-0104")]))
            let fixture = try CallsPageFixture(PastCall.some, people: [ada])
            XCTAssertEqual(fixture.calls[1].hasPrefix("Ada, declined"), true)
            XCTAssertEqual(fixture.description(of: fixture.row("Calls", "Ada")), "555-0104, LINE 2")
            fixture.clear()
        }
    }

    func testHostileNameStaysOnOneLine() throws {
        try onMainActor {
            let name = "\u{202e}evil\n\(String(repeating: "W", count: 500))"
            let fixture = try CallsPageFixture([.made(.incoming, "5550104", name: name, end: .noAnswer)])
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), 406)
            XCTAssertEqual(fixture.calls.first?.hasPrefix("evil WWWW"), true)
            let row = try XCTUnwrap(fixture.row("Calls", "evil"))
            XCTAssertLessThan(gtk_widget_get_allocated_height(row), 90)
            fixture.clear()
        }
    }

    func testSearchFindsNameAndNumberAndEscapeEndsIt() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.enter()
            fixture.type("f", with: Modifier.control)
            fixture.type("grace")
            waitUntil("she is found") { fixture.calls.count == 2 }
            XCTAssert(fixture.calls.allSatisfy { $0.hasPrefix("Grace") })
            fixture.type(GDK_KEY_Escape)
            waitUntil("all are there again") { fixture.calls.count == 5 }
            fixture.click(fixture.button("Find a call"))
            fixture.type("zzz")
            waitUntil("nothing is found") {
                fixture.calls.isEmpty && fixture.texts.contains("No matching calls.")
            }
            fixture.click(fixture.button("Find a call"))
            waitUntil("all are there again") { fixture.calls.count == 5 }
            fixture.type("f", with: Modifier.control)
            fixture.type("5550100")
            waitUntil("it is found") { fixture.calls.count == 1 }
            // Return moves to the results, and does not fill in a number.
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.navigator.notes, [])
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.navigator.notes, ["enter 5550100"])
            fixture.clear()
        }
    }

    func testMissedCallsCanBeFiltered() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some, areNew: true)
            XCTAssert(fixture.texts.contains("CALLS — 1 MISSED"))
            let missed = try XCTUnwrap(fixture.button("Missed calls"))
            XCTAssertEqual(fixture.description(of: missed), "1 new")
            XCTAssertEqual(
                fixture.description(of: fixture.row("Calls", "Grace, missed")), "new, (555) 867-5309, LINE 2")
            fixture.click(missed)
            fixture.settle()
            XCTAssertEqual(fixture.calls.count, 1)
            fixture.panel.isInView = true
            fixture.settle()
            XCTAssert(fixture.texts.contains("CALLS"), "it is seen now")
            XCTAssertEqual(fixture.description(of: missed), "")
            XCTAssertEqual(fixture.store.seen, 1)
            fixture.click(fixture.button("All calls"))
            fixture.settle()
            XCTAssertEqual(fixture.calls.count, 5)
            fixture.clear()
        }
    }

    func testEmptyHistoryIsExplained() throws {
        try onMainActor {
            let fixture = try CallsPageFixture()
            XCTAssert(fixture.texts.contains("No calls yet"))
            XCTAssert(fixture.texts.contains("Calls you make and receive appear here."))
            XCTAssertNil(fixture.button("Call the Operator"), "the line has no Operator")
            fixture.click(fixture.button("Missed calls"))
            fixture.settle()
            XCTAssert(fixture.texts.contains("No missed calls."))
            fixture.clear()
        }
    }

    func testFirstCallIsOffered() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(line: CallsPageFixture.exchange)
            fixture.click(fixture.button("Call the Operator"))
            XCTAssertEqual(fixture.navigator.notes, ["call 0"])
            fixture.phone.call(PracticeExchange.operatorNumber)
            fixture.click(fixture.button("Call the Operator"))
            XCTAssertEqual(fixture.navigator.notes, ["call 0"], "there is a call already")
            fixture.clear()
        }
    }

    func testStoreErrorIsExplained() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.store.trouble = .full
            fixture.history.delete(5)
            fixture.settle()
            XCTAssert(fixture.texts.contains { $0.hasPrefix("The disk is full.") })
            XCTAssertNil(fixture.notice)
            fixture.click(fixture.button("OK"))
            fixture.settle()
            XCTAssertFalse(fixture.texts.contains { $0.hasPrefix("The disk is full.") })
            fixture.clear()
        }
    }

    func testLongHistoryLoadsWhileScrolling() throws {
        try onMainActor {
            let calls = (0..<1_000).map { number in
                PastCall.made(.outgoing, "\(5_550_000 + number)", minutesAgo: 1_000 - number)
            }
            let fixture = try CallsPageFixture(calls)
            XCTAssertLessThan(fixture.calls.count, 60)
            XCTAssertEqual(fixture.calls.first?.hasPrefix("555-0999"), true)
            fixture.enter()
            fixture.go(GDK_KEY_End) { !fixture.history.hasOlder }
            XCTAssertEqual(fixture.calls.last?.hasPrefix("555-0000"), true)
            XCTAssertLessThanOrEqual(fixture.history.window.count, 300)
            fixture.go(GDK_KEY_Home) { !fixture.history.hasNewer }
            XCTAssertEqual(fixture.calls.first?.hasPrefix("555-0999"), true)
            fixture.clear()
        }
    }

    func testNarrowRightToLeftPanelKeepsNumbersUnmirrored() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some, width: 300, isRightToLeft: true)
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), 300)
            let row = try XCTUnwrap(fixture.row("Calls", "555-0104"))
            XCTAssert(fixture.labels(in: row).contains("\u{2068}555-0104\u{2069}"))
            fixture.clear()
        }
    }
}

extension CallsPageFixture {
    /// Presses a key until the history ends there, and once more.
    fileprivate func go(_ key: gint, until isOver: () -> Bool) {
        for _ in 0..<20 where !isOver() {
            type(key)
            settle()
        }
        type(key)
        settle()
    }

    /// The day headers above calls.
    fileprivate var days: [String] {
        descendants(of: widget).filter {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "day") != 0
                && gtk_widget_get_mapped($0) != 0
        }.map(\.text)
    }
}

extension CallsPageFixture {
    /// Misses a call now.
    fileprivate func miss(_ number: String) {
        let line = ScriptedLine()
        let lines = LineRegistry(fallback: line)
        let calls = CallManager(sounds: FakeTones(), clock: clock)
        calls.acceptCalls(from: lines)
        calls.observe(by: self) { [history] in if case .ended(let record) = $0 { history.note(record) } }
        line.offer(number)
        line.calls.last?.onEvent?(.ended(.farEnd))
        settle()
    }
}
