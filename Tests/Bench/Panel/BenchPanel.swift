// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore
import TouchtoneStore
import TouchtoneUI

/// The message panel in a window, with a scripted service and the program's own store.
@MainActor
final class BenchPanel {
    let service = FakeChatService()
    let wall = FixedWallClock()
    let chat: Chat
    let panel: MessagePanel
    let window: UnsafeMutablePointer<GtkWidget>
    let frames: Frames
    private let side: SidePanel
    private let style: Style

    init(resources: Resources) throws(GLibError) {
        let names = CountedNames()
        chat = Chat(
            store: SQLiteStore(), services: [service], clock: MainLoopScheduler(), wall: wall,
            names: { MainActor.assumeIsolated { names.next() } })
        let settings = try Settings(
            schema: Resources.applicationID, folders: resources.schemaFolders)
        style = try Style(resources: resources)
        panel = try MessagePanel(
            resources: resources, messenger: Messenger(chat), account: nil, settings: settings,
            wall: wall, clock: MainLoopScheduler())
        side = try SidePanel(resources: resources, clock: MainLoopScheduler(), goBack: {})
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_style_context_add_class(gtk_widget_get_style_context(window), "touchtone")
        gtk_window_set_default_size(window.cast(), 430, 648)
        gtk_container_add(window.cast(), side.widget)
        gtk_widget_show(window)
        frames = Frames(of: window)
        side.add(.messages) { [panel] in panel }
        side.isInView = true
        service.tell(.state(.online))
    }

    /// Waits until the panel is built, and prints what is measured.
    func begin(_ what: String) {
        waitUntil { panel.isBuilt && frames.count > 2 }
        var load: UnsafeMutablePointer<CChar>?
        g_file_get_contents("/proc/loadavg", &load, nil, nil)
        let loaded = load.map { String(cString: $0) }?.split(separator: " ").first ?? "unknown"
        g_free(load)
        print("\(what) (load of the machine: \(loaded))")
    }

    /// Measures the time to the first frame with the 100,000 messages of a conversation.
    func open(_ buddy: ChatAddress) {
        frames.begin()
        chat.select(buddy)
        // The first frame that has messages.
        let panel = panel
        frames.wait { panel.shownMessages > 2 }
        report("open 100,000 messages, first paint", frames.elapsed, 50)
        report("  on the processor", frames.worked, nil)
    }

    /// Measures the frames while the messages are scrolled: two notches of the wheel for each frame, some 60,000 pixels
    /// and 1,000 messages up.
    func scroll() {
        frames.begin()
        for _ in 0..<600 {
            panel.scrollMessages(by: -100)
            frames.waitForNext()
        }
        report("scroll up through it, 99th percentile of frames", frames.percentile(0.99), 16)
        report("  on the processor", frames.processorPercentile(0.99), nil)
        report("  median frame", frames.percentile(0.5), 16)
        report("  worst frame", frames.worst, nil)
    }

    /// Measures the frames while the list of buddies and rooms is scrolled: one notch of the wheel for each frame.
    func scrollBuddies(_ what: String) {
        frames.begin()
        for _ in 0..<200 {
            panel.scrollBuddies(by: 60)
            frames.waitForNext()
        }
        report("scroll through \(what), 99th percentile of frames", frames.percentile(0.99), 16)
        report("  on the processor", frames.processorPercentile(0.99), nil)
        report("  worst frame", frames.worst, nil)
    }

    /// Measures actions until a condition holds in a frame, and the longest blocking of the main loop.
    ///
    /// - Parameter count: The number of actions, between which the main loop runs; each gets its number.
    func measure(
        _ what: String, count: Int = 1, _ body: (Int) -> Void,
        until condition: @escaping @MainActor () -> Bool
    ) {
        frames.begin()
        Turns.begin()
        for number in 0..<count {
            Turns.run { body(number) }
            while g_main_context_pending(nil) != 0 { Turns.next() }
        }
        frames.wait(condition)
        report("\(what), shown after", frames.elapsed, nil)
        report("  longest turn of the main loop", Turns.longest, 16)
    }
}
