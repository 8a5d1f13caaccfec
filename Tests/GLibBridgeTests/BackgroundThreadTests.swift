// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import Testing

@testable import GLibBridge

@Suite struct BackgroundThreadTests {
    /// Each job runs once, whichever thread adds it, and the jobs of one thread run in order.
    @Test func jobsRunOneAtATime() async {
        let log = Log()
        let work = BackgroundThread { body in
            log.threads.withLock { $0 += 1 }
            return BackgroundThread.start("pieces", body)
        }
        await withTaskGroup { group in
            for adder in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        work.add { log.note(adder, number) }
                        // Let the thread end now and then.
                        if number % 50 == 0 { await work.run {} }
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in work.add { continuation.resume() } }
        let lines = log.lines.withLock { $0 }
        #expect(lines.count == 2000)
        for adder in 0..<4 {
            #expect(lines.filter { $0.adder == adder }.map(\.number) == Array(0..<500))
        }
        #expect(log.overlaps.withLock { $0 } == 0, "two pieces were done at once")
        #expect(log.threads.withLock { $0 } >= 1)
    }

    @Test func jobRunsAtOnceWithoutThread() {
        let work = BackgroundThread { _ in false }
        let log = Log()
        work.add {
            // A job added meanwhile runs after it.
            work.add { log.note(0, 2) }
            log.note(0, 1)
        }
        #expect(log.lines.withLock { $0.map(\.number) } == [1, 2])
    }

    @Test func resultComesFromNamedThread() async {
        let (name, isMain) = await BackgroundThread("one-result").run {
            (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8), Thread.isMainThread)
        }
        #expect(name == "one-result\n")
        #expect(!isMain)
    }

    private final class Log: Sendable {
        let lines = Mutex<[(adder: Int, number: Int)]>([])
        let threads = Mutex(0)
        let overlaps = Mutex(0)
        private let busy = Mutex(false)

        func note(_ adder: Int, _ number: Int) {
            let wasBusy = busy.withLock { busy in
                defer { busy = true }
                return busy
            }
            if wasBusy { overlaps.withLock { $0 += 1 } }
            lines.withLock { $0.append((adder, number)) }
            busy.withLock { $0 = false }
        }
    }
}
