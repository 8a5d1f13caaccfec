// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Foundation
import GLibBridge
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// A test of the stream in the main loop, against a server; a critical warning of GLib fails it.
///
/// XCTest calls tests on the main thread, but on Linux it can't call a method that is bound to the main actor, so such
/// a test does its work in `onMainActor`.
class XMPPTestCase: XCTestCase {
    override func setUpWithError() throws {
        do {
            try Peer.require("prosody", package: "prosody")
            if TestServer.current == .ejabberd { try Peer.require("ejabberdctl", package: "ejabberd") }
            _ = try TestCertificates.folder()
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
        // GIO reads the proxy from the desktop's settings, and caches the first settings backend it finds.
        setenv("GSETTINGS_BACKEND", "memory", 1)
        onMainActor { Loop.start() }
    }

    override func tearDown() {
        XCTAssertEqual(CriticalWarnings.take(), [])
    }
}

/// The independent server of the tests; ejabberd if the environment variable `TOUCHTONE_XMPP_SERVER` names it.
enum TestServer {
    case prosody, ejabberd

    static let current =
        ProcessInfo.processInfo.environment["TOUCHTONE_XMPP_SERVER"] == "ejabberd"
        ? TestServer.ejabberd : .prosody

    /// The hash function of its SCRAM mechanisms.
    var hash: SCRAMHash { self == .prosody ? .sha256 : .sha1 }

    /// The services of rooms; those of the second one have no archive.
    var roomServices: [String] {
        self == .prosody ? ["rooms.localhost", "plain.localhost"] : ["rooms.localhost"]
    }

    /// Returns the server, and starts it on first use.
    static func shared() throws -> any JabberServer {
        switch current {
        case .prosody: try Prosody.shared()
        case .ejabberd: try Ejabberd.shared()
        }
    }

    /// Skips a test of what ejabberd does not have.
    static func requireProsody(_ reason: String) throws {
        try XCTSkipIf(current == .ejabberd, reason)
    }
}

/// Runs the body of a test on the main actor.
func onMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    try MainActor.assumeIsolated(body)
}

/// Runs the main loop until `condition` holds, or fails the test after a minute, which allows for a loaded machine.
@MainActor
func waitUntil(
    _ what: @autoclosure () -> String, seconds: UInt32 = 60,
    file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
) {
    MainLoop.run(upTo: seconds * 1000, until: condition)
    XCTAssert(condition(), "waited in vain until \(what())", file: file, line: line)
}

/// Runs the main loop until an asynchronous body has ended, and returns its result.
@MainActor
func awaited<Value>(
    for what: String = "the answer", file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @MainActor () async throws -> Value
) throws -> Value {
    var result: Result<Value, any Error>?
    Task {
        do { result = .success(try await body()) } catch { result = .failure(error) }
    }
    waitUntil("\(what) came", file: file, line: line) { result != nil }
    return try XCTUnwrap(result, file: file, line: line).get()
}

@MainActor
private enum Loop {
    static func start() { _ = started }

    private static let started: Void = {
        CriticalWarnings.collect()
        MainLoop.attachMainActor()
    }()
}

/// Returns the resident memory of this process.
func residentBytes() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(getpagesize())
}
