// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the recordings in the list of calls, in notifications, and of the answering machine in Preferences.
final class RecordingWindowTests: GtkTestCase {
    func testCallWithMessageIsPlayedSavedAndDeleted() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(
                [
                    .made(.incoming, "5550104", end: .farEnd),
                    .made(.outgoing, "5550100", minutesAgo: 5, end: .busy),
                ],
                recordings: [.made(1, isHeard: false)])
            let row = try XCTUnwrap(fixture.row("Calls", "555-0104, missed"))
            XCTAssertEqual(fixture.description(of: row), "LINE 2, with a message, 0:12, not heard")
            XCTAssertNotEqual(gtk_style_context_has_class(gtk_widget_get_style_context(row), "new"), 0)
            XCTAssertEqual(fixture.visibleKeys("Play").count, 1, "the other call was not recorded")
            fixture.click(try XCTUnwrap(fixture.visibleKeys("Play").first))
            waitUntil("it is played") { !fixture.visibleKeys("Stop").isEmpty }
            XCTAssertEqual(fixture.device.played, ["/recordings/1.opus"])
            waitUntil("it was heard") { fixture.machine.recordings.unheard == 0 }
            fixture.settle()
            XCTAssertEqual(
                fixture.description(of: try XCTUnwrap(fixture.row("Calls", "555-0104, missed"))),
                "LINE 2, with a message, 0:12")
            fixture.click(try XCTUnwrap(fixture.visibleKeys("Stop").first))
            waitUntil("it has stopped") { fixture.visibleKeys("Stop").isEmpty }

            fixture.click(fixture.row("Calls", "555-0104, missed"), button: 3)
            let items = ["Play Recording", "Save Recording As…", "Delete Recording"]
            XCTAssertTrue(fixture.menuItems.contains(items), "\(fixture.menuItems)")
            for _ in 0...(fixture.menuItems.firstIndex(of: "Delete Recording") ?? 0) {
                fixture.type(GDK_KEY_Down)
            }
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.notice, "Recording deleted.")
            XCTAssertEqual(fixture.visibleKeys("Play").count, 0)
            fixture.clickNotice("Undo")
            waitUntil("it is back") { fixture.visibleKeys("Play").count == 1 }
            fixture.clear()
        }
    }

    /// A locked phone plays nothing, and stops what it plays.
    func testCoveredPagePlaysNothing() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(
                [.made(.incoming, "5550104", end: .farEnd)], recordings: [.made(1, isHeard: false)])
            let page = try XCTUnwrap(fixture.panel.page(.calls) as? CallsPage)
            page.setCovered(true)
            page.play(1)
            handleEvents()
            XCTAssertEqual(fixture.device.log, "")
            page.setCovered(false)
            page.play(1)
            waitUntil("it is played") { fixture.device.log == ">" }
            fixture.clear()
        }
    }

    func testGreetingIsChosenPlayedAndRecorded() throws {
        try onMainActor {
            let list = try CallsPageFixture()
            let voice = VoiceMessages(device: list.device, calls: list.phone.calls, clock: list.clock)
            let fixture = try PreferencesFixture(page: .lines, machine: list.machine, voice: voice)
            XCTAssertEqual(fixture.told("Greeting"), "Built-in")
            for (title, key) in [
                ("Answering Machine", "answering-machine"),
                ("Hear Callers While They Speak", "answering-aloud"),
                ("Tone While a Call Is Recorded", "recording-tone"),
            ] {
                let control = try XCTUnwrap(fixture.control(title, type: gtk_switch_get_type()), title)
                let before = fixture.settings[flag: key]
                gtk_switch_set_active(control.cast(), before ? 0 : 1)
                XCTAssertEqual(fixture.settings[flag: key], !before, title)
            }
            XCTAssertEqual(
                ["Answers After", "Answers", "Longest Message"].map(fixture.choice),
                ["20 seconds", "Everyone", "3 minutes"])
            fixture.press("Play")
            waitUntil("it is played") { list.device.played.count == 1 }
            XCTAssertEqual(list.device.played.first?.hasSuffix("/data/greetings/en.opus"), true)
            fixture.press("Stop")

            fixture.files.answer = .init(uri: "file:///home/ada/hello%20there.wav")
            fixture.press("File…")
            waitUntil("it is chosen") { fixture.told("Greeting") == "hello there.wav" }
            XCTAssertEqual(fixture.settings[text: "answering-greeting"], "/home/ada/hello there.wav")
            fixture.files.answer = .init(uri: "https://example.org/hello.wav")
            fixture.press("File…")
            waitUntil("it is refused") {
                fixture.told("Another Greeting") == "The greeting must be a file on this computer."
            }

            fixture.press("Record")
            XCTAssertEqual(fixture.told("Another Greeting"), "Speak now: 0:00")
            list.clock.advance(by: .seconds(3))
            fixture.press("Stop")
            waitUntil("it is used") { fixture.told("Greeting") == "Recorded" }
            XCTAssertEqual(fixture.settings[text: "answering-greeting"], "/recordings/greeting.opus")
            fixture.press("Built-in")
            XCTAssertEqual(fixture.told("Greeting"), "Built-in")
            list.recordings.failure = .diskFull
            fixture.press("Record")
            list.clock.advance(by: .seconds(3))
            fixture.press("Stop")
            waitUntil("the failure is told") {
                fixture.told("Another Greeting") == RecordingFailure.diskFull.sentence
            }
            fixture.clear()
            list.clear()
        }
    }

    func testMessageIsNotified() throws {
        try onMainActor {
            let fixture = try CallsPageFixture()
            let notifier = FakeNotifier()
            let lock = Lock(
                store: FakePasscodeStore(nil), clock: ManualScheduler(), boot: FakeBootClock(),
                sounds: FakeTones())
            let notices = RecordingNotifications(
                machine: fixture.machine, lock: lock,
                strings: CallStrings(number: fixture.phone.text, contactName: { _ in nil }),
                notifier: notifier)
            var (played, called): ([Int64], [String]) = ([], [])
            notices.onPlay = { id, _ in played.append(id) }
            notices.onCallBack = { remote, _ in called.append(remote.number.text) }
            fixture.recordings.kept = [.made(7, isHeard: false)]
            fixture.machine.recordings.restore(0)
            waitUntil("it is notified") { notifier.shown["machine-message"] != nil }
            XCTAssertEqual(
                notifier.shown["machine-message"],
                .init(
                    key: "machine-message", title: "Message from 555-0104", body: "",
                    category: "call.unanswered",
                    actions: [.init(id: "play", label: "Play"), .init(id: "call-back", label: "Call Back")]))
            notifier.onAction?("machine-message", "play", nil)
            notifier.onAction?("machine-message", "call-back", nil)
            XCTAssertEqual(played, [7])
            XCTAssertEqual(called, ["5550104"])
            fixture.machine.recordings.markHeard(7)
            waitUntil("it was heard") { notifier.shown.isEmpty }
            fixture.clear()
        }
    }
}

extension Recording {
    @MainActor
    static func made(_ id: Int64, isHeard: Bool) -> Recording {
        Recording(
            id: id, entry: id, call: .made(.incoming, "5550104", end: .farEnd), kind: .message,
            length: .seconds(12), isHeard: isHeard, file: "\(id).opus")
    }
}

extension PreferencesFixture {
    /// Returns the subtitle of a row.
    fileprivate func told(_ title: String) -> String? {
        row(title).flatMap { hdy_action_row_get_subtitle($0.cast()) }.map { String(cString: $0) }
    }
}

extension CallsPageFixture {
    /// The visible buttons with a name in the list of calls.
    fileprivate func visibleKeys(_ name: String) -> [Widget] {
        (list("Calls").map { descendants(of: $0) } ?? []).filter {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                && accessibleName(of: $0) == name
        }
    }
}
