// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Foundation
import GLibBridge
import XCTest

/// Tests of the life of signal handlers.
final class SignalTests: XCTestCase {
    /// GDBus drops the last reference to a connection on its own thread.
    func testHandlerIsReleasedWithObjectThatEndsOnAnotherThread() throws {
        MainActor.assumeIsolated {
            guard let action = g_simple_action_new("test", nil) else { return XCTFail("there is no object") }
            let object = UnsafeMutableRawPointer(action)
            var owner: Owner? = Owner()
            weak let released = owner
            Signal.connectNotify(object, "notify::enabled") { [owner] in _ = owner }
            owner = nil
            XCTAssertNotNil(released)
            nonisolated(unsafe) let last = object  // No other thread uses it any more.
            let ended = DispatchSemaphore(value: 0)
            Thread {
                g_object_unref(last)
                ended.signal()
            }.start()
            XCTAssertEqual(ended.wait(timeout: .now() + 10), .success)
            XCTAssertNil(released)
        }
    }
}

private final class Owner: Sendable {}
