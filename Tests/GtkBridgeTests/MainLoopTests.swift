// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import GtkBridge
import GtkTestSupport
import XCTest

/// Tests that the main actor runs on GLib's loop on the main thread, and that an idle loop sleeps.
final class MainLoopTests: GtkTestCase {
    func testMainActorTasksRunWhileGLibHasThread() {
        onMainActor {
            MainLoop.keepTasksOnMainThread(false)
            var steps: [String] = []
            let mainThread = pthread_self()
            Task { @MainActor in
                steps.append("begun")
                await Task.detached { XCTAssertNotEqual(pthread_self(), mainThread) }.value
                XCTAssertEqual(pthread_self(), mainThread)
                steps.append("back")
            }
            waitUntil("the task is done") { steps.count == 2 }
            XCTAssertEqual(steps, ["begun", "back"])
        }
    }

    func testActorlessTasksStayOnMainThreadOnRequest() {
        onMainActor {
            MainLoop.keepTasksOnMainThread()
            let mainThread = pthread_self()
            var hops = 0
            Task { @MainActor in
                for _ in 0..<100 {
                    await Task.detached { XCTAssertEqual(pthread_self(), mainThread) }.value
                    // A task resumed by another thread returns to this one, too.
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().async { continuation.resume() }
                    }
                    XCTAssertEqual(pthread_self(), mainThread)
                    hops += 1
                }
            }
            waitUntil("all hops are done") { hops == 100 }
        }
    }

    func testJobFromOtherThreadWakesSleepingLoop() {
        onMainActor {
            let isWoken = Variable(false)
            DispatchQueue.global().async { Task { @MainActor in isWoken.value = true } }
            // This blocks in poll() until there is an event; without the wake-up the test ends by its time limit.
            waitUntil("the loop wakes up") { isWoken.value }
        }
    }

    func testThousandHopsStayInOrder() {
        onMainActor {
            var seen: [Int] = []
            Task { @MainActor in
                for step in 0..<1000 {
                    await Task.detached {}.value
                    seen.append(step)
                }
            }
            waitUntil("a thousand hops are done") { seen.count == 1000 }
            XCTAssertEqual(seen, Array(0..<1000))
        }
    }

    func testIdleLoopDoesNotSpin() {
        onMainActor {
            var isOver = false
            Task { @MainActor in await Task.detached {}.value }
            handleEvents()
            let timer = MainLoop.after(milliseconds: 200) { isOver = true }
            var turns = 0
            while !isOver {
                g_main_context_iteration(nil, 1)
                turns += 1
            }
            timer.cancel()
            // A descriptor that is not drained keeps the loop turning: thousands of times in this period.
            XCTAssertLessThan(turns, 50)
        }
    }

    func testTimerFiresOnceAndCancelledTimerNever() {
        onMainActor {
            var calls: [String] = []
            let kept = MainLoop.after(milliseconds: 1) { calls.append("kept") }
            let cancelled = MainLoop.after(milliseconds: 1) { calls.append("cancelled") }
            cancelled.cancel()
            _ = MainLoop.after(milliseconds: 1) { calls.append("let go") }
            var isOver = false
            let end = MainLoop.after(milliseconds: 30) { isOver = true }
            waitUntil("the last timer has fired") { isOver }
            XCTAssertEqual(calls, ["kept"])
            kept.cancel()
            end.cancel()
        }
    }
}
