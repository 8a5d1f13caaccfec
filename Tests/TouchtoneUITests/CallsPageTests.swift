// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The page of calls: what it shows, and how calls are found.
final class CallsPageTests: GtkTestCase {
    func testRowsAreNamedByWhoWhatAndWhen() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            let time = { (minutes: Int) in
                LocaleStamps().time(ChatTime(milliseconds: 1_315_870_461_000 - Int64(minutes) * 60_000))
            }
            let date = try XCTUnwrap(LocaleTime(seconds: 1_315_870_461 - 180_000)).date
            XCTAssertEqual(
                desk.calls,
                [
                    "Grace, missed, \(time(30))", "555-0104, declined, \(time(40))",
                    "+442079460958, incoming, \(time(50)), 1:02:05", "555-0100, outgoing, \(time(60)), busy",
                    "Grace, outgoing, \(date) \(time(3000)), 0:42",
                ])
            XCTAssertEqual(
                desk.description(of: desk.row("Calls", "Grace, missed")), "(555) 867-5309, LINE 1")
            desk.clear()
        }
    }

    func testADayStandsAboveTheFirstOfItsCalls() throws {
        try onMainActor {
            let day = 24 * 60
            let calls = [3 * day, day, day - 1, 1, 0].map {
                PastCall.made(.outgoing, "555010\($0 % 10)", minutesAgo: $0)
            }
            let desk = try CallsDesk(calls)
            let date = try XCTUnwrap(LocaleTime(seconds: 1_315_870_461 - Int64(3 * day * 60))).date
            XCTAssertEqual(desk.days, ["Today", "Yesterday", date])
            // The day is over.
            desk.wall.now = ChatTime(milliseconds: desk.wall.now.milliseconds + Int64(day) * 60_000)
            desk.panel.isLookedAt = true
            desk.settle()
            XCTAssertEqual(desk.days.first, "Yesterday")
            desk.clear()
        }
    }

    func testACallComesToTheTopAsItEnds() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.store.add(.made(.outgoing, "5550111", end: .noAnswer)) { _ in }
            desk.history.reload()
            desk.settle()
            XCTAssertEqual(desk.calls.first?.hasPrefix("555-0111, outgoing"), true)
            XCTAssertEqual(desk.days.filter { $0 == "Today" }.count, 1)
            desk.clear()
        }
    }

    func testTheBookOfContactsNamesWhoCalled() throws {
        try onMainActor {
            let ada = NewContact(ContactCard(name: "Ada", ways: [ContactWay(.number, "555-0104")]))
            let desk = try CallsDesk(PastCall.some, people: [ada])
            XCTAssertEqual(desk.calls[1].hasPrefix("Ada, declined"), true)
            XCTAssertEqual(desk.description(of: desk.row("Calls", "Ada")), "555-0104, LINE 1")
            desk.clear()
        }
    }

    func testAHostileNameStaysInItsLine() throws {
        try onMainActor {
            let name = "\u{202e}evil\n\(String(repeating: "W", count: 500))"
            let desk = try CallsDesk([.made(.incoming, "5550104", name: name, end: .noAnswer)])
            XCTAssertEqual(gtk_widget_get_allocated_width(desk.widget), 406)
            XCTAssertEqual(desk.calls.first?.hasPrefix("evil WWWW"), true)
            let row = try XCTUnwrap(desk.row("Calls", "evil"))
            XCTAssertLessThan(gtk_widget_get_allocated_height(row), 90)
            desk.clear()
        }
    }

    func testSearchFindsByNameAndNumberAndEndsByEscape() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.enter()
            desk.type("f", with: Modifier.control)
            desk.type("grace")
            waitUntil("she is found") { desk.calls.count == 2 }
            XCTAssert(desk.calls.allSatisfy { $0.hasPrefix("Grace") })
            desk.type(GDK_KEY_Escape)
            waitUntil("all are there again") { desk.calls.count == 5 }
            desk.click(desk.button("Find a call"))
            desk.type("zzz")
            waitUntil("nothing is found") {
                desk.calls.isEmpty && desk.texts.contains("No call is found by that.")
            }
            desk.click(desk.button("Find a call"))
            waitUntil("all are there again") { desk.calls.count == 5 }
            desk.type("f", with: Modifier.control)
            desk.type("5550100")
            waitUntil("it is found") { desk.calls.count == 1 }
            // Return goes to what is found, and fills in nothing by itself.
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.notes, [])
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.notes, ["fill in 5550100"])
            desk.clear()
        }
    }

    func testMissedCallsStandApart() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some, areNew: true)
            XCTAssert(desk.texts.contains("CALLS — 1 MISSED"))
            let missed = try XCTUnwrap(desk.button("Missed calls"))
            XCTAssertEqual(desk.description(of: missed), "1 new")
            XCTAssertEqual(
                desk.description(of: desk.row("Calls", "Grace, missed")), "new, (555) 867-5309, LINE 1")
            desk.click(missed)
            desk.settle()
            XCTAssertEqual(desk.calls.count, 1)
            desk.panel.isLookedAt = true
            desk.settle()
            XCTAssert(desk.texts.contains("CALLS"), "it is seen now")
            XCTAssertEqual(desk.description(of: missed), "")
            XCTAssertEqual(desk.store.seen, 1)
            desk.click(desk.button("All calls"))
            desk.settle()
            XCTAssertEqual(desk.calls.count, 5)
            desk.clear()
        }
    }

    func testAnEmptyHistorySaysSo() throws {
        try onMainActor {
            let desk = try CallsDesk()
            XCTAssert(desk.texts.contains("No calls yet. Whom you call, and who calls you, is listed here."))
            desk.click(desk.button("Missed calls"))
            desk.settle()
            XCTAssert(desk.texts.contains("No missed calls."))
            desk.clear()
        }
    }

    func testTroubleIsSaidInWords() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.store.trouble = .full
            desk.history.delete(5)
            desk.settle()
            XCTAssert(desk.texts.contains { $0.hasPrefix("The disk is full.") })
            XCTAssertNil(desk.notice)
            desk.click(desk.button("OK"))
            desk.settle()
            XCTAssertFalse(desk.texts.contains { $0.hasPrefix("The disk is full.") })
            desk.clear()
        }
    }

    func testALongHistoryIsReadAsItIsScrolled() throws {
        try onMainActor {
            let calls = (0..<1_000).map { number in
                PastCall.made(.outgoing, "\(5_550_000 + number)", minutesAgo: 1_000 - number)
            }
            let desk = try CallsDesk(calls)
            XCTAssertLessThan(desk.calls.count, 60)
            XCTAssertEqual(desk.calls.first?.hasPrefix("555-0999"), true)
            desk.enter()
            desk.go(GDK_KEY_End) { !desk.history.hasOlder }
            XCTAssertEqual(desk.calls.last?.hasPrefix("555-0000"), true)
            XCTAssertLessThanOrEqual(desk.history.window.count, 300)
            desk.go(GDK_KEY_Home) { !desk.history.hasNewer }
            XCTAssertEqual(desk.calls.first?.hasPrefix("555-0999"), true)
            desk.clear()
        }
    }

    func testANarrowPanelFromTheRightKeepsNumbersAsTheyAre() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some, width: 300, isRightToLeft: true)
            XCTAssertEqual(gtk_widget_get_allocated_width(desk.widget), 300)
            let row = try XCTUnwrap(desk.row("Calls", "555-0104"))
            XCTAssert(desk.labels(in: row).contains("\u{2068}555-0104\u{2069}"))
            desk.clear()
        }
    }
}

extension CallsDesk {
    /// Presses a key until the history has no more there, and once more.
    fileprivate func go(_ key: gint, until isOver: () -> Bool) {
        for _ in 0..<20 where !isOver() {
            type(key)
            settle()
        }
        type(key)
        settle()
    }

    /// The days that stand above calls.
    fileprivate var days: [String] {
        descendants(of: widget).filter {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "day") != 0
                && gtk_widget_get_mapped($0) != 0
        }.map(\.text)
    }
}
