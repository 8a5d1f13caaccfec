// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The page of calls in a panel on the test screen, with a history in memory.
@MainActor
final class CallsPageFixture: WorkedIn {
    let widget: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    let store = MemoryHistoryStore()
    let contactStore = MemoryContactStore()
    let contacts: ContactBook
    let history: CallHistory
    let panel: SidePanel
    let clock = ManualScheduler()
    let wall = FixedWallClock()
    let navigator = RecordingNavigator()
    let phone: Phone
    let recordings = MemoryRecordings()
    let device = FakeVoiceDevice()
    let machine: AnsweringMachine
    private let style: Style

    /// Shows the page with the given stored calls.
    init(
        _ calls: [PastCall] = [], areNew: Bool = false, people: [NewContact] = [], width: gint = 406,
        isRightToLeft: Bool = false, line: any Line = ScriptedLine(id: "tel"),
        recordings kept: [Recording] = []
    ) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        style = try Style(resources: resources)
        store.fill(calls, areNew: areNew)
        contactStore.fill(people)
        contacts = ContactBook(store: contactStore, books: nil)
        history = CallHistory(store: store, contacts: contacts, wall: wall)
        contacts.start()
        history.start()
        panel = try SidePanel(resources: resources, clock: clock, goBack: {})
        if isRightToLeft { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
        widget.set(style: "touchtone", true)
        gtk_window_set_default_size(widget.cast(), width, 640)
        gtk_container_add(widget.cast(), panel.widget)
        phone = Phone(tones: FakeTones(), formatter: NumberFormatter(), clock: clock, line: line)
        recordings.kept = kept
        machine = AnsweringMachine(
            recordings: Recordings(store: recordings, folder: recordings, history: history),
            calls: phone.calls,
            history: history, wall: wall)
        machine.recordings.start()
        let voice = VoiceMessages(device: device, calls: phone.calls, clock: clock)
        let directory = DirectoryDependencies(
            history: history, contacts: contacts, vCards: FakeVCards(), machine: machine)
        let (lines, service) = (LineRegistry(fallback: line), FakeChatService())
        let chat = Chat(
            store: MemoryMessageStore(), services: [service], clock: clock, wall: wall, names: { "name" })
        panel.add(.calls) {
            [phone, navigator, wall, toast = panel.toast] () throws(GLibError) -> any PanelPage in
            try CallsPage(
                resources: resources, directory: directory, phone: phone, lines: lines, chat: chat,
                navigator: navigator, toast: toast, wall: wall, voice: voice)
        }
        movePointerAway()
        gtk_widget_show(widget)
        gtk_test_widget_wait_for_draw(widget)
        focus()
        settle()
    }

    /// The line without which no account is needed.
    static var exchange: PracticeExchange {
        PracticeExchange(
            clock: ManualScheduler(), sounds: FakeTones(), echo: FakeEcho(), plan: { nil },
            time: { TimeOfDay(hour: 12, minute: 0, second: .zero) })
    }

    /// Closes the window.
    func clear() {
        for button: UInt32 in 1...3 { cxtest_button(button, false) }
        gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
        panel.close()
        gtk_widget_destroy(widget)
        handleEvents()
    }

    /// Waits until all changes are stored, reported and drawn.
    func settle() {
        waitUntilIdle(rounds: 2) { [store, contactStore] in
            await contactStore.idle()
            await store.idle()
        }
        gtk_test_widget_wait_for_draw(widget)
    }

    /// The names of the calls, from the top.
    var calls: [String] { rows("Calls") }

    /// The accessible text of the visible notice.
    var notice: String? {
        descendants(of: widget).first {
            atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_NOTIFICATION
                && gtk_widget_get_mapped($0) != 0
        }.flatMap { accessibleName(of: $0) }
    }

    /// Clicks a key of the notice once it is fully visible.
    func clickNotice(_ name: String) {
        waitUntil("the notice is there") {
            descendants(of: widget).contains {
                cgtk_instance_is_a($0, gtk_revealer_get_type()) != 0
                    && gtk_revealer_get_child_revealed($0.cast()) != 0
            }
        }
        gtk_test_widget_wait_for_draw(widget)
        click(button(name))
        settle()
    }

    /// Focuses the first call by the keyboard.
    func enter() {
        gtk_window_set_focus(widget.cast(), nil)
        gtk_widget_child_focus(list("Calls"), GTK_DIR_TAB_FORWARD)
    }

    /// The visible texts.
    var texts: [String] { labels(in: widget) }
}

extension PastCall {
    /// Returns a call on the day of the test, the given number of minutes before its time.
    static func made(
        _ direction: Call.Direction, _ number: String, name: String = "", minutesAgo: Int = 0,
        end: CallEndReason = .farEnd, seconds: Int? = nil, line: String = "tel", address: String = ""
    ) -> PastCall {
        let began = ChatTime(milliseconds: 1_315_870_461_000 - Int64(minutesAgo) * 60_000)
        return PastCall(
            direction: direction, remote: RemoteParty(read(number), address: address, displayName: name),
            line: line,
            began: began, endReason: end, seconds: seconds)
    }

    private static func read(_ number: String) -> DialledNumber {
        if case .number(let read) = DialledNumber.read(number) { return read }
        return DialledNumber()
    }

    /// One call of each kind, oldest first.
    static var some: [PastCall] {
        [
            made(.outgoing, "5558675309", name: "Grace", minutesAgo: 3000, seconds: 42),
            made(.outgoing, "5550100", minutesAgo: 60, end: .busy),
            made(.incoming, "+442079460958", minutesAgo: 50, end: .hungUp, seconds: 3725),
            made(.incoming, "5550104", minutesAgo: 40, end: .declined),
            made(.incoming, "5558675309", name: "Grace", minutesAgo: 30, end: .noAnswer),
        ]
    }
}
