// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Synchronization
import TouchtoneCore

/// Loads tone sets on a separate thread, so that neither the main thread nor the audio thread waits for a disk.
final class ToneSetLoader: Sendable {
    private struct Queue {
        /// The requested folder that is not loaded yet; an inner nil means the synthesizer.
        var wanted: String??
        var isReading = false
        /// The reported tone set, so that each one is reported once.
        var told: Set<String> = []
    }

    private let rate: Int
    private let slot: ToneSetSlot
    private let notify: @Sendable (ToneNotice) -> Void
    private let queue = Mutex(Queue())

    init(rate: Int, slot: ToneSetSlot, notify: @escaping @Sendable (ToneNotice) -> Void) {
        self.rate = rate
        self.slot = slot
        self.notify = notify
    }

    /// Loads and activates the set in a folder, or the synthesizer if nil; the last of several calls wins.
    func load(_ folder: String?) {
        let mustStart = queue.withLock { queue in
            queue.wanted = .some(folder)
            defer { queue.isReading = true }
            return !queue.isReading
        }
        guard mustStart else { return }
        if !BackgroundThread.start("touchtone-tones", { self.readAll() }) {
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

    /// Returns the next folder to load, or nil if there is none and the thread can end.
    private func next() -> String?? {
        queue.withLock { queue in
            defer { queue.wanted = nil }
            if queue.wanted == nil { queue.isReading = false }
            return queue.wanted
        }
    }
}
