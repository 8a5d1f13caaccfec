// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore
import TouchtoneStore
import TouchtoneUI

/// Measurements of the history: opening, searching and scrolling must each stay within a frame.
@MainActor
final class CallsMeasuring {
    private let contacts: ContactBook
    private let history: CallHistory
    private let side: SidePanel
    private let style: Style
    private let window: UnsafeMutablePointer<GtkWidget>
    private let frames: Frames
    private var page: CallsPage?
    /// The number of times that the history has reported changed entries.
    private var answers = 0

    init(resources: Resources) throws(GLibError) {
        let (store, wall) = (SQLiteStore(), FixedWallClock(1_300_000_000_000))
        contacts = ContactBook(store: store, books: nil)
        history = CallHistory(store: store, contacts: contacts, wall: wall)
        style = try Style(resources: resources)
        side = try SidePanel(resources: resources, clock: MainLoopScheduler(), goBack: {})
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_style_context_add_class(gtk_widget_get_style_context(window), "touchtone")
        gtk_window_set_default_size(window.cast(), 406, 648)
        gtk_container_add(window.cast(), side.widget)
        gtk_widget_show(window)
        frames = Frames(of: window)
        let phone = SilentPhone.make()
        side.add(.messages) { EmptyPage() }
        side.add(.calls) {
            [weak self, history, contacts, toast = side.toast] () throws(GLibError) -> any PanelPage in
            let page = try CallsPage.measured(
                resources: resources, history: history, contacts: contacts, phone: phone, toast: toast,
                wall: wall)
            self?.page = page
            return page
        }
        side.isInView = true
        history.observe(by: self) { [weak self] in if $0 == .entries { self?.answers += 1 } }
        contacts.start()
        history.start()
    }

    func run() {
        waitUntil { contacts.isLoaded && contacts.count == peopleCount }
        // The work deferred by the first frame is complete, too.
        for _ in 0..<5 { frames.waitForNext() }
        print("The history, with \(callCount) calls and \(peopleCount) contacts in SQLite")
        open()
        search()
        scroll()
    }

    /// Measures the time from an action until it is drawn, and the longest blocking of the main loop.
    private func measure(_ body: () -> Void, until condition: @escaping @MainActor () -> Bool) -> (
        shown: Double, turn: Double
    ) {
        frames.begin()
        let began = processorMilliseconds()
        Turns.begin()
        body()
        let own = processorMilliseconds() - began
        frames.wait(condition)
        return (frames.elapsed, max(own, Turns.longest))
    }

    private func open() {
        let first = measure(
            { side.show(.calls) }, until: { [weak self] in (self?.page?.shownCalls ?? 0) > 8 })
        // This includes the wait for the next frame of the screen, which comes every 16 ms.
        report("open, shown after", first.shown, nil)
        report("  longest turn of the main loop", first.turn, 16)
        var again: [Double] = []
        for _ in 0..<9 {
            side.show(.messages)
            frames.waitForNext()
            again.append(measure({ side.show(.calls) }, until: { true }).shown)
        }
        report("  again, median of nine", again.sorted()[4], nil)
    }

    private func search() {
        guard let page else { return }
        var (shown, turns): ([Double], [Double]) = ([], [])
        for text in ["5", "555", "5551", "grace", "grace berg 12", "zzz", "99", "lund", "a", "edsger stein"] {
            let before = answers
            let one = measure({ page.look(for: text) }, until: { self.answers > before })
            shown.append(one.shown)
            turns.append(one.turn)
        }
        report("search, shown after, median of ten", shown.sorted()[5], nil)
        report("  worst", shown.max() ?? 0, nil)
        report("  longest turn of the main loop", turns.max() ?? 0, 16)
        let before = answers
        page.look(for: "")
        frames.wait { self.answers > before }
    }

    private func scroll() {
        guard let page else { return }
        for (what, step) in [("down", 100.0), ("up", -100.0)] {
            frames.begin()
            Turns.begin()
            for _ in 0..<600 {
                page.scroll(by: step)
                frames.waitForNext()
            }
            report("scroll \(what) through it, 99th percentile of frames", frames.percentile(0.99), 16)
            report("  median frame", frames.percentile(0.5), 16)
            report("  on the processor", frames.processorPercentile(0.99), 16)
            report("  worst frame", frames.worst, nil)
            report("  longest turn of the main loop", Turns.longest, 16)
        }
    }
}

/// An empty page.
@MainActor
private final class EmptyPage: PanelPage {
    let widget: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    var title: String { "NOTHING" }
    var onTitle: (@MainActor () -> Void)?
}
