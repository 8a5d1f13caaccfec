// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// Measurements of the page of 10,000 contacts, and of suggestions for typed digits, with a store in memory.
@MainActor
final class ContactsMeasuring {
    private let count = 10_000
    private let resources: Resources
    private let settings: Settings
    private let style: Style
    private let panel: SidePanel
    private let book: ContactBook
    private let phone: Phone
    private let window: UnsafeMutablePointer<GtkWidget>
    private let frames: Frames
    /// The number of times that the book has reported changed rows.
    private var answers = 0

    init(resources: Resources) throws(GLibError) {
        self.resources = resources
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        style = try Style(resources: resources)
        let store = MemoryContactStore()
        store.fill(Self.people(count))
        book = ContactBook(store: store, books: nil)
        phone = SilentPhone.make()
        panel = try SidePanel(resources: resources, clock: MainLoopScheduler(), goBack: {})
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_style_context_add_class(gtk_widget_get_style_context(window), "touchtone")
        gtk_window_set_default_size(window.cast(), 406, 648)
        gtk_container_add(window.cast(), panel.widget)
        gtk_widget_show(window)
        frames = Frames(of: window)
    }

    func run() {
        print("The page of contacts, with \(count) of them in memory")
        frames.waitForNext()
        let start = g_get_monotonic_time()
        book.observe(by: self) { [weak self] change in if change == .rows { self?.answers += 1 } }
        book.start()
        waitUntil { book.isLoaded && book.rows.count == count }
        report("10,000 contacts are read and sorted", Double(g_get_monotonic_time() - start) / 1000)
        frames.waitForNext()
        let page = ContactsPage.measured(
            DirectoryDependencies(
                history: CallHistory(
                    store: MemoryHistoryStore(), contacts: book, wall: FixedWallClock(0)),
                contacts: book, vCards: NoVCards()),
            phone: phone, toast: panel.toast, resources: resources, settings: settings)
        frames.begin()
        panel.add(.contacts) { page }
        frames.wait { page.shownContacts > 5 }
        report("the page opens, until its first frame", frames.elapsed)
        report("  worst frame of that", frames.worst, 16)
        find(page)
        scroll(page)
        suggest()
    }

    private func find(_ page: ContactsPage) {
        var times: [Double] = []
        var worst = 0.0
        for text in ["g", "gr", "gra", "grace", "47", "472", "47223", "999", ""] {
            let before = answers
            frames.begin()
            page.find(text)
            frames.wait { self.answers > before }
            times.append(frames.elapsed)
            worst = max(worst, frames.worst)
        }
        report("a letter of a search, until what it finds is shown", times.sorted()[times.count / 2])
        report("  worst", times.max() ?? 0)
        report("  worst frame of all", worst, 16)
    }

    private func scroll(_ page: ContactsPage) {
        frames.waitForNext()
        frames.begin()
        for _ in 0..<300 {
            page.scroll(by: 100)
            frames.waitForNext()
        }
        report("scroll down through it, 99th percentile of frames", frames.percentile(0.99), 16)
        report("  on the processor", frames.processorPercentile(0.99), 16)
    }

    private func suggest() {
        var times: [Double] = []
        for text in ["47", "472", "4722", "47223", "33", "334", "3343", "555", "5550", "99"] {
            guard let number = DialledNumber(text) else { continue }
            let start = g_get_monotonic_time()
            _ = book.suggestions(for: number, maximum: 5)
            times.append(Double(g_get_monotonic_time() - start) / 1000)
        }
        report("whom a digit means, the first time", times[0], 16)
        report("  then, worst", times.dropFirst().max() ?? 0, 16)
    }

    private func report(_ what: String, _ value: Double, _ reach: Double? = nil) {
        let name = what + String(repeating: " ", count: max(1, 52 - what.count))
        let verdict = reach.map { "   reach \(Int($0)) ms \(value <= $0 ? "met" : "MISSED")" } ?? ""
        print("\(name)\(Double(Int(value * 10)) / 10) ms\(verdict)")
    }

    private static func people(_ count: Int) -> [NewContact] {
        let first = [
            "Grace", "Edsger", "Ada", "Alan", "Barbara", "Donald", "Frances", "Niklaus", "Jean", "Tony",
        ]
        let last = [
            "Hopper", "Dijkstra", "Lovelace", "Turing", "Liskov", "Knuth", "Allen", "Wirth", "Bartik",
        ]
        return (0..<count).map { number in
            NewContact(
                ContactCard(
                    name: "\(first[number * 7 % 10]) \(last[number / 10 % 9]) \(number)",
                    organization: number % 3 == 0 ? "Company \(number % 97)" : "",
                    methods: [
                        ContactMethod(
                            .number, "+1555\(1_000_000 + number * 7_919 % 9_000_000)", label: .mobile),
                        ContactMethod(.xmpp, "person\(number)@example.org"),
                    ]))
        }
    }
}
