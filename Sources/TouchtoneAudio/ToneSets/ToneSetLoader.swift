// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// Reads tone sets on a thread of their own, so that neither the window nor the audio thread waits for a disk.
final class ToneSetLoader: Sendable {
    private struct Queue {
        /// The folder asked for last and not read yet; the inner nil is the synthesizer.
        var wanted: String??
        var isReading = false
        /// What was told of, so that it is told once.
        var told: Set<String> = []
    }

    private let rate: Int
    private let slot: ToneSetSlot
    private let notify: @Sendable (ToneNotice) -> Void
    private let queue = Mutex(Queue())

    /// Reads sets for `rate` hertz into `slot`.
    init(rate: Int, slot: ToneSetSlot, notify: @escaping @Sendable (ToneNotice) -> Void) {
        self.rate = rate
        self.slot = slot
        self.notify = notify
    }

    /// Has the set in the folder sound as soon as it is read; nil is the synthesizer.
    ///
    /// Of several calls the last one counts.
    func load(_ folder: String?) {
        let mustStart = queue.withLock { queue in
            queue.wanted = .some(folder)
            defer { queue.isReading = true }
            return !queue.isReading
        }
        guard mustStart else { return }
        if !DetachedThread.run("touchtone-tones", { self.readAll() }) {
            queue.withLock { $0.isReading = false }
        }
    }

    private func readAll() {
        while let folder = next() {
            guard let folder else {
                slot.offer(ToneSet([:]))
                continue
            }
            let reading = ToneSetReader(rate: rate).read(folder)
            slot.offer(ToneSet(reading.recordings))
            let isNews = queue.withLock { $0.told.insert(folder).inserted }
            if isNews, !reading.missing.isEmpty { notify(.toneSetIncomplete(reading.missing)) }
        }
    }

    /// The next folder to read; nil when there is none, and the thread's work is done.
    private func next() -> String?? {
        queue.withLock { queue in
            defer { queue.wanted = nil }
            if queue.wanted == nil { queue.isReading = false }
            return queue.wanted
        }
    }
}
