// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import Foundation
import GLibBridge
import TestSupport
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

    func testConnectionMayBeResetBeforeHandshake() throws {
        try onMainActor {
            let base = try resetConnection()
            let tls = try TLS(
                over: base, domain: "localhost", trust: .system, check: CertificateCheck(pin: ""),
                announces: false)
            // A complaint of GLib would end the tests.
            XCTAssertThrowsError(try awaited { try await tls.handshake(Cancellable()) })
        }
    }

    func testNoConnectionResumesSessionOfAnother() throws {
        try onMainActor {
            // A server whose tickets are valid; the client has received them with the stream.
            let online = Script.online.replacingOccurrences(of: " id='previous' resume='true'", with: "")
            let (session, server) = try session(online + Script.cut, online + Script.cut, online + "wait")
            for count in 2...3 {
                waitUntil("the connection is lost") { session.reason != nil }
                session.clock.advance(by: try XCTUnwrap(session.clock.nextDelay))
                waitUntil("it is online for the time \(count)") { session.isOnline }
            }
            XCTAssertFalse(server.output.contains("resumed TLS"))
        }
    }
}

/// Returns a TCP connection that its other side has reset.
@MainActor
private func resetConnection() throws -> GObjectRef {
    let loopback = g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4)
    let address = GObjectRef(
        taking: UnsafeMutableRawPointer(try XCTUnwrap(g_inet_socket_address_new(loopback, 0))))
    g_object_unref(loopback)
    let (listener, client) = (try newSocket(), try newSocket())
    try GLibError.check { g_socket_bind(listener.cast(), address.cast(), 1, $0) }
    try GLibError.check { g_socket_listen(listener.cast(), $0) }
    let there = GObjectRef(
        taking: UnsafeMutableRawPointer(
            try GLibError.unwrap { g_socket_get_local_address(listener.cast(), $0) }))
    try GLibError.check { g_socket_connect(client.cast(), there.cast(), nil, $0) }
    let accepted = GObjectRef(
        taking: UnsafeMutableRawPointer(
            try GLibError.unwrap { g_socket_accept(listener.cast(), nil, $0) }))
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
        g_socket_get_fd(accepted.cast()), SOL_SOCKET, SO_LINGER, &lingering,
        socklen_t(MemoryLayout<linger>.size))
    let connection = GObjectRef(
        taking: UnsafeMutableRawPointer(g_socket_connection_factory_create_connection(client.cast())))
    try GLibError.check { g_socket_close(accepted.cast(), $0) }
    try GLibError.check { g_socket_condition_wait(client.cast(), G_IO_HUP, nil, $0) }
    return connection
}

@MainActor
private func newSocket() throws -> GObjectRef {
    GObjectRef(
        taking: UnsafeMutableRawPointer(
            try GLibError.unwrap {
                g_socket_new(G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, $0)
            }))
}
