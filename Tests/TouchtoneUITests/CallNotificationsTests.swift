// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the desktop notifications of calls.
final class CallNotificationsTests: GtkTestCase {
    func testNotificationAnswersDeclinesAndClosesWithCall() throws {
        try onMainActor {
            let room = try CallNotificationsFixture()
            room.line.offer("5550104")
            XCTAssertEqual(
                room.incoming,
                .init(
                    key: "incoming", title: "555-0104 is calling", body: "", category: "call.incoming",
                    actions: [.init(id: "answer", label: "Answer"), .init(id: "decline", label: "Decline")],
                    isOngoing: true))
            room.notifier.onAction?("incoming", "decline", nil)
            XCTAssertNil(room.incoming)
            XCTAssertEqual(room.calls.calls, [])
            room.line.offer("5551234")
            XCTAssertEqual(room.incoming?.title, "Grace is calling")
            XCTAssertEqual(room.incoming?.body, "555-1234")
            room.notifier.onAction?("incoming", "answer", nil)
            XCTAssertNil(room.incoming)
            XCTAssertEqual(room.calls.calls.map(\.state), [.connected])
            XCTAssertNil(room.missed)
            room.fixture.clear()
        }
    }

    /// The notification does not wait for the picture.
    func testCallersPictureFollows() throws {
        try onMainActor {
            let room = try CallNotificationsFixture()
            room.notices.picture = { $0.number.text == "5551234" ? png(width: 40, height: 30) : [1, 2, 3] }
            room.line.offer("5551234")
            XCTAssertNotNil(room.incoming)
            XCTAssertNil(room.incoming?.picture)
            waitUntil("the picture follows") { room.incoming?.picture != nil }
            XCTAssertEqual(room.incoming?.title, "Grace is calling")
            let count = room.notifier.count
            room.notifier.onAction?("incoming", "decline", nil)
            room.line.offer("5550104")
            XCTAssertNil(room.incoming?.picture, "it was that of another caller")
            XCTAssertEqual(room.notifier.count, count + 1)
            room.fixture.clear()
        }
    }

    func testLockedPhoneShowsNoPictureOfCaller() throws {
        try onMainActor {
            let room = try CallNotificationsFixture(passcode: "1234")
            room.fixture.type("1234")
            waitUntil("the phone is open") { !room.fixture.lock.isLocked }
            room.notices.picture = { _ in png(width: 40, height: 30) }
            room.line.offer("5551234")
            waitUntil("the picture follows") { room.incoming?.picture != nil }
            room.fixture.lock.lock()
            XCTAssertNotNil(room.incoming)
            XCTAssertNil(room.incoming?.picture)
            room.fixture.clear()
        }
    }

    func testMissedCallsAreCountedAndReturnedFromNotification() throws {
        try onMainActor {
            let room = try CallNotificationsFixture()
            room.miss("5551234")
            XCTAssertEqual(
                room.missed,
                .init(
                    key: "missed", title: "Missed call from Grace", body: "", category: "call.unanswered",
                    actions: [.init(id: "call-back", label: "Call Back")]))
            room.miss("5550104")
            XCTAssertEqual(room.missed?.title, "Missed call from 555-0104")
            XCTAssertEqual(room.missed?.body, "2 missed calls")
            var called: [String] = []
            room.notices.onCallBack = { called.append("\($0.number.text)\($0.address) \($1 ?? "")") }
            room.notifier.onAction?("missed", "call-back", "token")
            XCTAssertEqual(called, ["5550104 token"])
            XCTAssertNil(room.missed)
            XCTAssertEqual(room.calls.calls, [], "nothing is dialled")
            room.miss("")
            XCTAssertEqual(room.missed?.title, "Missed call from Unknown number")
            XCTAssertEqual(room.missed?.actions, [])
            room.notices.recordSeen()
            XCTAssertNil(room.missed)
            room.miss("5550104")
            XCTAssertEqual(room.missed?.body, "", "those that were seen count no more")
            room.miss("", address: "sip:zoe@example.org")
            XCTAssertEqual(room.missed?.actions, [.init(id: "call-back", label: "Call Back")])
            room.notifier.onAction?("missed", "call-back", nil)
            XCTAssertEqual(called.last, "sip:zoe@example.org ")
            XCTAssertNil(room.missed)
            room.fixture.clear()
        }
    }

    func testNotificationNamesTheAccountOfSeveral() throws {
        try onMainActor {
            let room = try CallNotificationsFixture(passcode: "1234")
            room.fixture.type("1234")
            waitUntil("the phone is open") { !room.fixture.lock.isLocked }
            let (home, work) = (ScriptedLine(id: "home"), ScriptedLine(id: "work"))
            room.fixture.lines.accounts = [home]
            home.offer("5551234")
            XCTAssertEqual(room.incoming?.body, "555-1234", "there is only one")
            room.fixture.lines.accounts = [home, work]
            home.calls.last?.onEvent?(.ended(.noAnswer))
            XCTAssertEqual(room.missed?.body, "LINE 2")
            work.offer("5551234")
            XCTAssertEqual(room.incoming?.body, "555-1234 · LINE 2")
            work.calls.last?.onEvent?(.ended(.noAnswer))
            XCTAssertEqual(room.missed?.body, "2 missed calls · LINE 2")
            work.offer("5550104")
            XCTAssertEqual(room.incoming?.body, "LINE 2")
            room.fixture.lock.lock()
            XCTAssertEqual(room.incoming?.body, "")
            room.fixture.clear()
        }
    }

    func testNotificationsHideNamesWhileLocked() throws {
        try onMainActor {
            let room = try CallNotificationsFixture(passcode: "1234")
            room.line.offer("5551234")
            XCTAssertEqual(room.incoming?.title, "555-1234 is calling")
            XCTAssertEqual(room.incoming?.body, "")
            room.line.calls.last?.onEvent?(.ended(.noAnswer))
            XCTAssertEqual(room.missed?.title, "Missed call")
            XCTAssertEqual(room.missed?.actions, [])
            room.notices.onCallBack = { _, _ in XCTFail("the phone is locked") }
            room.notifier.onAction?("missed", "call-back", nil)
            room.miss("5551234")
            XCTAssertEqual(room.missed?.body, "2 missed calls")
            room.notices.recordSeen()
            XCTAssertNotNil(room.missed, "a locked phone shows nobody what was missed")
            room.fixture.type("1234")
            waitUntil("the phone is open") { !room.fixture.lock.isLocked }
            XCTAssertEqual(room.missed?.title, "Missed call from Grace")
            room.line.offer("5551234")
            room.fixture.lock.lock()
            XCTAssertEqual(room.incoming?.title, "555-1234 is calling")
            XCTAssertEqual(room.missed?.title, "Missed call")
            room.notifier.onAction?("incoming", "answer", nil)
            XCTAssertEqual(room.calls.calls.map(\.state), [.connected])
            room.notices.withdrawAll()
            XCTAssertEqual(room.notifier.shown, [:])
            room.fixture.clear()
        }
    }

    func testQuietPhoneNeitherRingsNorNotifies() throws {
        try onMainActor {
            let room = try CallNotificationsFixture()
            (room.calls.quietness, room.notices.isQuiet) = (.on, true)
            room.fixture.tones.notes = []
            room.line.offer("5551234")
            XCTAssertEqual(room.calls.incoming?.remote.number.text, "5551234", "the window shows it")
            XCTAssertEqual(room.fixture.tones.notes, [])
            XCTAssertEqual(room.notifier.shown, [:])
            (room.calls.quietness, room.notices.isQuiet) = (.off, false)
            XCTAssertEqual(room.fixture.tones.notes, ["bell"])
            XCTAssertEqual(room.incoming?.title, "Grace is calling")
            (room.calls.quietness, room.notices.isQuiet) = (.on, true)
            XCTAssertEqual(room.fixture.tones.notes, ["bell", "over"])
            XCTAssertEqual(room.notifier.shown, [:])
            room.line.calls.last?.onEvent?(.ended(.noAnswer))
            XCTAssertEqual(room.notifier.shown, [:])
            room.notices.isQuiet = false
            XCTAssertEqual(room.missed?.title, "Missed call from Grace", "it was missed nevertheless")
            room.fixture.clear()
        }
    }

    func testDismissedNotificationsStayClosedAcrossLocking() throws {
        try onMainActor {
            let room = try CallNotificationsFixture(passcode: "1234")
            room.miss("5551234")
            XCTAssertEqual(room.notifier.count, 2, "one who calls, and one who was missed")
            // Digits, wrong passcodes and the countdown of a lockout reveal nothing about calls.
            room.fixture.type("99")
            XCTAssertEqual(room.notifier.count, 2)
            room.notifier.dismiss("missed")
            room.fixture.type("9")
            XCTAssertNil(room.missed)
            for _ in 0..<3 { room.fixture.type(GDK_KEY_BackSpace) }
            room.fixture.type("1234")
            waitUntil("the phone is open") { !room.fixture.lock.isLocked }
            room.fixture.lock.lock()
            XCTAssertNil(room.missed)
            // The next call is news.
            room.miss("5550104")
            XCTAssertEqual(room.missed?.body, "2 missed calls")
            room.line.offer("5551234")
            XCTAssertNotNil(room.incoming)
            room.notifier.dismiss("incoming")
            room.fixture.type("1234")
            waitUntil("the phone is open") { !room.fixture.lock.isLocked }
            XCTAssertNil(room.incoming)
            room.fixture.clear()
        }
    }

    func testCallPreventsIdleLockButRingingDoesNot() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let line = fixture.talkingLine()
            let clock = ManualScheduler()
            fixture.settings[count: "lock-after"] = 1
            let triggers = LockTriggers(lock: fixture.lock, settings: fixture.settings, clock: clock)
            let attention = fixture.callAlerts(FakeNotifier(), triggers)
            fixture.talk("5551234", on: line)
            clock.advance(by: .seconds(3600))
            XCTAssertFalse(fixture.lock.isLocked)
            fixture.phone.hangUp()
            clock.advance(by: .seconds(59))
            XCTAssertFalse(fixture.lock.isLocked)
            line.offer("5550104")
            clock.advance(by: .seconds(1))
            XCTAssert(fixture.lock.isLocked, "ringing does not keep it open")
            withExtendedLifetime(attention) { fixture.settings.reset("lock-after") }
            fixture.clear()
        }
    }

    func testCallBackEntersNumberOrAddressAndDialsNothing() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let (line, notifier) = (fixture.talkingLine(), FakeNotifier())
            let attention = fixture.callAlerts(notifier)
            for (number, address, text) in [
                ("5550104", "", "555-0104"), ("", "sip:zoe@b.example", "ZOE@B.EXAMPLE"),
                ("5550104", "sip:5550104@b.example", "555-0104"),
            ] {
                fixture.phone.clear()
                line.offer(number, address: address)
                line.calls.last?.onEvent?(.ended(.noAnswer))
                notifier.onAction?("missed", "call-back", nil)
                handleEvents()
                XCTAssertEqual(fixture.display, text)
                XCTAssertEqual(fixture.phone.address?.text, number.isEmpty ? address : nil)
            }
            XCTAssertEqual(fixture.phone.calls.calls, [])
            withExtendedLifetime(attention) { fixture.clear() }
        }
    }

    func testConversationOpensClosedWindow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let (line, notifier) = (fixture.talkingLine(), FakeNotifier())
            let attention = fixture.callAlerts(notifier)
            for answer in [
                { notifier.onAction?("incoming", "answer", nil) }, { fixture.phone.answer() },
            ] as [@MainActor () -> Void] {
                gtk_widget_hide(fixture.widget)
                line.offer("5550104")
                handleEvents()
                XCTAssertEqual(gtk_widget_get_visible(fixture.widget), 0, "a call opens nothing")
                answer()
                XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected])
                XCTAssertNotEqual(gtk_widget_get_visible(fixture.widget), 0)
                fixture.phone.hangUp()
            }
            gtk_widget_hide(fixture.widget)
            line.offer("5550104")
            notifier.onAction?("incoming", "decline", nil)
            XCTAssertEqual(gtk_widget_get_visible(fixture.widget), 0)
            gtk_widget_show(fixture.widget)
            withExtendedLifetime(attention) { fixture.clear() }
        }
    }

    func testOnlyUserOrAssistiveToolCountsAsActivity() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let line = fixture.talkingLine()
            let (clock, notifier) = (ManualScheduler(), FakeNotifier())
            fixture.settings[count: "lock-after"] = 1
            let triggers = LockTriggers(lock: fixture.lock, settings: fixture.settings, clock: clock)
            let attention = fixture.callAlerts(notifier, triggers)
            @MainActor func miss() {
                line.offer("5550104")
                handleEvents()
                XCTAssertEqual(fixture.display, "555-0104", "the display has changed")
                line.calls.last?.onEvent?(.ended(.noAnswer))
                handleEvents()
            }
            miss()
            clock.advance(by: .seconds(50))
            miss()
            XCTAssertEqual(notifier.shown["missed"]?.body, "2 missed calls", "nobody has seen it")
            // An assistive tool presses a key without an input event.
            atk_action_do_action(OpaquePointer(gtk_widget_get_accessible(fixture.find("5"))), 0)
            waitUntil("the key was pressed") { fixture.phone.number.text == "5" }
            XCTAssertNil(notifier.shown["missed"])
            clock.advance(by: .seconds(59))
            XCTAssertFalse(fixture.lock.isLocked, "it counts from the key")
            fixture.phone.clear()
            miss()
            XCTAssertNotNil(notifier.shown["missed"])
            fixture.type("5")
            XCTAssertNil(notifier.shown["missed"])
            clock.advance(by: .seconds(50))
            fixture.phone.clear()
            miss()
            clock.advance(by: .seconds(10))
            XCTAssert(fixture.lock.isLocked, "calls keep no phone open")
            withExtendedLifetime(attention) { fixture.settings.reset("lock-after") }
            fixture.clear()
        }
    }

    func testWindowRequestsAttentionWithoutTakingFocus() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let attention = fixture.callAlerts(FakeNotifier())
            let window = fixture.window.window
            line.offer("5550104")
            XCTAssertEqual(gtk_window_get_urgency_hint(window), 0, "it is looked at")
            fixture.phone.hangUp()
            let other = try FieldsWindow([.text])
            XCTAssertEqual(gtk_window_is_active(window), 0)
            gtk_widget_grab_focus(other.fields[0])
            other.type("12")
            line.offer("5550104")
            XCTAssertNotEqual(gtk_window_get_urgency_hint(window), 0)
            other.type("34")
            fixture.phone.calls.answer()
            other.type("5")
            XCTAssertEqual(gtk_window_get_urgency_hint(window), 0)
            XCTAssertEqual(gtk_window_is_active(window), 0)
            XCTAssertEqual(gtk_entry_get_text(other.fields[0].cast()).map { String(cString: $0) }, "12345")
            XCTAssertEqual(line.calls[1].keys, "")
            withExtendedLifetime(attention) { gtk_widget_destroy(other.widget) }
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Creates the effects of this phone's calls on a desktop, which do not keep the triggers of the lock alive.
    fileprivate func callAlerts(_ notifier: FakeNotifier, _ triggers: LockTriggers? = nil)
        -> CallAlertController
    {
        CallAlertController(
            phone: phone, lock: lock, window: window,
            triggers: triggers ?? LockTriggers(lock: lock, settings: settings, clock: MainLoopScheduler()),
            notifier: notifier)
    }
}

/// A phone, and the desktop notifications of its calls.
@MainActor
private final class CallNotificationsFixture {
    let fixture: PhoneWindowFixture
    let line: ScriptedLine
    let notifier = FakeNotifier()
    let notices: CallNotifications
    var calls: CallManager { fixture.phone.calls }
    var incoming: DesktopNotifications.Note? { notifier.shown["incoming"] }
    var missed: DesktopNotifications.Note? { notifier.shown["missed"] }

    init(passcode: String? = nil) throws {
        fixture = try PhoneWindowFixture(passcode: passcode)
        line = fixture.talkingLine()
        let words = CallStrings(number: fixture.phone.text) { $0.number.text == "5551234" ? "Grace" : nil }
        notices = CallNotifications(
            calls: fixture.phone.calls, lock: fixture.lock, strings: words, notifier: notifier)
    }

    /// Simulates a missed call.
    func miss(_ number: String, address: String = "") {
        line.offer(number, address: address)
        line.calls.last?.onEvent?(.ended(.noAnswer))
    }
}
