// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

/// Tests of timers that include the time in which the machine is suspended.
final class BootTimerTests: GtkTestCase {
    func testTimerCountsTimeDuringSuspend() throws {
        try onMainActor {
            let timer = BootTimer(milliseconds: 3_600_000) { XCTFail("it is not due") }
            XCTAssertEqual(try bootTimers().count, 1)
            timer.cancel()
            XCTAssertEqual(try bootTimers().count, 0)
        }
    }

    func testTimerFiresOnceAndLeavesNothing() throws {
        try onMainActor {
            let fired = Variable(0)
            let began = BootTimer.now
            let timer = BootTimer(milliseconds: 20) { fired.value += 1 }
            let none = BootTimer(milliseconds: 0) { fired.value += 10 }
            waitUntil("both have fired") { fired.value == 11 }
            XCTAssertGreaterThanOrEqual(BootTimer.now - began, .milliseconds(20))
            handleEvents()
            XCTAssertEqual(fired.value, 11)
            XCTAssertEqual(try bootTimers().count, 0)
            timer.cancel()
            none.cancel()
        }
    }

    func testReleasedTimerDoesNotFire() throws {
        try onMainActor {
            let fired = Variable(false)
            do { _ = BootTimer(milliseconds: 1) { XCTFail("it was let go") } }
            let other = MainLoop.after(milliseconds: 50) { fired.value = true }
            waitUntil("its time is over") { fired.value }
            XCTAssertEqual(try bootTimers().count, 0)
            other.cancel()
        }
    }

    func testTimeCountsFromBoot() {
        onMainActor {
            var before = timespec()
            clock_gettime(CLOCK_BOOTTIME, &before)
            let now = BootTimer.now
            var after = timespec()
            clock_gettime(CLOCK_BOOTTIME, &after)
            XCTAssertGreaterThanOrEqual(now, duration(before))
            XCTAssertLessThanOrEqual(now, duration(after))
        }
    }
}

private func duration(_ time: timespec) -> Duration {
    .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Tests of timers for a time of day.
final class WallTimerTests: GtkTestCase {
    private static var now: Int64 { Int64(g_get_real_time()) / 1000 }

    func testTimerFiresOnceAndLeavesNothing() throws {
        try onMainActor {
            let fired = Variable(0)
            let due = Self.now + 30
            let soon = WallTimer(at: due) {
                XCTAssertGreaterThanOrEqual(Self.now, due)
                fired.value += 1
            }
            let past = WallTimer(at: -5) { fired.value += 10 }
            let later = WallTimer(at: Self.now + 3_600_000) { XCTFail("it is not due") }
            waitUntil("both have fired") { fired.value == 11 }
            handleEvents()
            XCTAssertEqual(fired.value, 11)
            later.cancel()
            XCTAssertEqual(try timers(of: CLOCK_REALTIME), [])
            for timer in [soon, past] { timer.cancel() }
        }
    }

    /// The kernel wakes the timer when somebody sets the clock, which no test may do.
    func testTimerIsCancelledBySettingTheClock() throws {
        try onMainActor {
            let timer = WallTimer(at: Self.now + 3_600_000) { XCTFail("it is not due") }
            let told = try XCTUnwrap(timers(of: CLOCK_REALTIME).first)
            // TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET.
            XCTAssertTrue(told.contains("settime flags: 03\n"), told)
            timer.cancel()
        }
    }

    func testAnotherTimeZoneIsNoticed() throws {
        try onMainActor {
            let folder = try TemporaryFolders.make("touchtone-zone")
            let zone = "\(folder)/localtime"
            try "UTC".write(toFile: zone, atomically: true, encoding: .utf8)
            let fired = Variable(0)
            let timer = WallTimer(at: Self.now + 3_600_000, zonePath: zone) { fired.value += 1 }
            try "CET".write(toFile: zone, atomically: true, encoding: .utf8)
            waitUntil("it has fired") { fired.value == 1 }
            XCTAssertEqual(try timers(of: CLOCK_REALTIME), [])
            timer.cancel()
        }
    }
}

/// Returns the timers of this process that use CLOCK_BOOTTIME, as reported by the kernel.
@MainActor
private func bootTimers() throws -> [String] { try timers(of: CLOCK_BOOTTIME) }

/// Returns the timers of this process that use a clock, as reported by the kernel.
@MainActor
private func timers(of clock: Int32) throws -> [String] {
    let folder = try XCTUnwrap(opendir("/proc/self/fdinfo"))
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let file = fopen("/proc/self/fdinfo/\(name)", "r") else { continue }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        if text.contains("clockid: \(clock)\n") { found.append(text) }
    }
    return found
}
