// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneMobile

/// The lines of phones, with the phone's calls, and the scripted service, on a bus of the test's own.
@MainActor
final class MobileFixture {
    static let address = "00:11:22:AA:BB:CC"
    static let id = "mobile-001122aabbcc"

    let clock = ManualScheduler()
    let lines: LineRegistry
    let mobiles: MobileLines
    let calls: CallManager
    let service: ScriptedTelephony
    /// The connection of the other programs.
    let other: DBusConnection
    private let own: DBusConnection
    private let bus: SystemBus
    private(set) var records: [CallRecord] = []

    init(chosen: String = "", isRunning: Bool = true) throws {
        do {
            bus = try SystemBus(granting: true)
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
        MainLoop.attachMainActor()
        own = try DBusConnection.connectPrivatelyAndWait(to: .system)
        other = try DBusConnection.connectPrivatelyAndWait(to: .system)
        service = try ScriptedTelephony(other)
        lines = LineRegistry(fallback: QuietLine())
        mobiles = MobileLines(
            MobileLines.Dependencies(
                lines: lines, clock: clock, makeRules: { _ in { DialRules() } },
                connect: { [own] _ throws(GLibError) in own }), chosen: chosen)
        calls = CallManager(sounds: NoSounds(), clock: clock)
        calls.acceptCalls(from: lines)
        calls.observe(by: self) { [weak self] in
            if case .ended(let record) = $0 { self?.records.append(record) }
        }
        if isRunning { service.setRunning(true) }
        mobiles.start()
        wait("the service is known") { mobiles.isOffered != nil && mobiles.isOffered == isRunning }
    }

    func end() { bus.end() }

    var line: (any Line)? { lines.line(Self.id) }
    var states: [CallState] { calls.calls.map(\.state) }

    func connect() throws -> ScriptedPhone {
        let phone = try service.connect(Self.address)
        wait("the line is there") { line?.state == .available }
        return phone
    }

    @discardableResult
    func dial(_ number: String) -> Bool {
        guard let line else { return false }
        return calls.dial(RemoteParty(DialledNumber(number) ?? DialledNumber()), on: line)
    }

    /// Dials, and answers the call at the far end.
    func talk(_ number: String, _ phone: ScriptedPhone) {
        dial(number)
        let count = phone.calls.count
        wait("it is dialled") { phone.calls.count > count && phone.calls.last?.state == "dialing" }
        if let path = phone.calls.last?.path { phone.set(path, "active") }
        wait("it is answered") { states.last == .connected }
    }

    func wait(_ what: String, file: StaticString = #filePath, line: UInt = #line, until: () -> Bool) {
        MainLoop.run(upTo: 30_000, until: until)
        if !until() { XCTFail("waited in vain until \(what): \(states)", file: file, line: line) }
    }

    /// Waits until what was sent until now, and what follows from it, has been handled: questions to the bus are answered
    /// after it.
    func settle() {
        for bus in [other, own, other, own] {
            var isAnswered = false
            bus.call(.bus, "GetId") { _ in
                MainLoop.soon { isAnswered = true }
            }
            MainLoop.run(upTo: 30_000) { isAnswered }
        }
    }
}

/// The line that always exists, which the tests do not use.
@MainActor
private final class QuietLine: Line {
    let id = "quiet"
    let label = "QUIET"
    let state = LineState.available
    var onEvent: ((LineEvent) -> Void)?
    func dial(_ remote: RemoteParty) -> any LineCall { MobileCall(to: remote) }
}

private final class NoSounds: SoundOutput {
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound { PlayedSound(number: 0) }
    func stop(_ sound: PlayedSound) {}
}

/// Runs the body of a test, which XCTest calls on the main thread, though on Linux not as a method of the main actor.
func onMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    try MainActor.assumeIsolated(body)
}
