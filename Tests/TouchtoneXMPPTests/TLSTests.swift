// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Foundation
import GLibBridge
import XCTest

@testable import TouchtoneXMPP

/// Tests of an encrypted GIO connection on multiple threads.
final class TLSTests: XMPPTestCase {
    func testAnyThreadMayReleaseLastReference() throws {
        // The address of an object to which only this test holds a reference.
        let address = try onMainActor { () throws -> UInt in
            let (input, output) = (
                g_memory_input_stream_new(), g_memory_output_stream_new(nil, 0, nil, nil)
            )
            let plain = GObjectRef(taking: g_simple_io_stream_new(input, output))
            g_object_unref(UnsafeMutableRawPointer(input))
            g_object_unref(UnsafeMutableRawPointer(output))
            let tls = try TLS(
                over: plain, domain: "localhost", trust: .system, check: CertificateCheck(pin: ""),
                announces: false)
            g_object_ref(tls.stream.object)
            return UInt(bitPattern: tls.stream.object)
        }
        let released = DispatchSemaphore(value: 0)
        Thread {
            g_object_unref(UnsafeMutableRawPointer(bitPattern: address))
            released.signal()
        }.start()
        released.wait()
    }
}
