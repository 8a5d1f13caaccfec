// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// The measurements, in the order of a day: sign on, open, scroll, receive.
@MainActor
final class Measuring {
    private let bench: BenchPanel

    init(resources: Resources) throws(GLibError) { bench = try BenchPanel(resources: resources) }

    private var service: FakeChatService { bench.service }
    private var chat: Chat { bench.chat }
    private var panel: MessagePanel { bench.panel }
    private var frames: Frames { bench.frames }

    func run() {
        bench.begin("The message panel, with the store in SQLite")
        signOn()
        bench.scrollBuddies("the list of 5,000")
        open()
        bench.scroll()
        resize()
        receive()
        memory()
    }

    private func signOn() {
        let records = (0..<buddyCount).map {
            BuddyRecord(
                ChatAddress("buddy\($0)@example.org"), name: "Buddy \($0)", tellsMe: true, toldByMe: true)
        }
        let chat = chat
        frames.begin()
        service.tell(
            .buddies(
                records + [BuddyRecord(grace, name: "Grace", tellsMe: true, toldByMe: true)], version: nil))
        // They arrive as from a server: in batches, with turns of the main loop between.
        var next = 0
        while next < buddyCount {
            for number in next..<min(buddyCount, next + 100) {
                service.tell(
                    .presence(records[number].address, device: "a", DevicePresence(.online, status: "here")))
            }
            next += 100
            while g_main_context_iteration(nil, 0) != 0 {}
        }
        waitUntil { chat.buddies.onlineCount == buddyCount }
        frames.waitForNext()
        report("5,000 buddies sign on, shown after", frames.elapsed, nil)
        report("  worst frame of that", frames.worst, nil)
    }

    private func open() {
        bench.open(grace)
        let panel = panel
        var (again, worked): ([Double], [Double]) = ([], [])
        for _ in 0..<9 {
            chat.select(ChatAddress("buddy1@example.org"))
            frames.wait { panel.shownMessages == 0 }
            frames.begin()
            chat.select(grace)
            frames.wait { panel.shownMessages > 2 }
            again.append(frames.elapsed)
            worked.append(frames.worked)
        }
        report("  again, median of nine", again.sorted()[4], 50)
        report("  on the processor", worked.sorted()[4], nil)
    }

    /// Measures the frames while the window is made wider and narrower.
    private func resize() {
        frames.begin()
        for step in 0..<120 {
            gtk_window_resize(bench.window.cast(), 406 + gint(abs(60 - step)) * 4, 648)
            frames.waitForNext()
        }
        report("resize, 99th percentile of frames", frames.percentile(0.99), 16)
        report("  on the processor", frames.processorPercentile(0.99), nil)
        report("  median frame", frames.percentile(0.5), 16)
    }

    private func receive() {
        panel.scrollMessagesToEnd()
        waitUntil { panel.isAtLastMessage }
        frames.waitForNext()
        let chat = chat
        // The messages differ from those of an earlier run.
        let run = g_get_real_time()
        frames.begin()
        for number in 0..<1_000 {
            service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: grace, sender: .buddy, text: "burst \(run) \(text(number))",
                            time: bench.wall.now,
                            name: "burst-\(run)-\(number)", archiveName: "archive-\(run)-\(number)"))
                ]))
            if number % 20 == 19 { while g_main_context_iteration(nil, 0) != 0 {} }
        }
        var isKept = false
        chat.whenKept { isKept = true }
        waitUntil { isKept }
        let last = "burst \(run) \(text(999))"
        frames.wait { chat.selected?.window.last?.text == last && self.panel.isAtLastMessage }
        report("1,000 messages in a burst, stored and shown", frames.elapsed, 1000)
        report("  worst frame of that", frames.worst, nil)
    }

    private func memory() {
        var (text, length): (UnsafeMutablePointer<CChar>?, gsize) = (nil, 0)
        guard g_file_get_contents("/proc/self/smaps_rollup", &text, &length, nil) != 0, let text else {
            return
        }
        defer { g_free(text) }
        for line in String(cString: text).split(separator: "\n") where line.hasPrefix("Pss:") {
            let kibibytes = line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
            report("memory after it all, PSS", kibibytes / 1024, 100, unit: "MiB")
        }
    }
}
