// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Runs the cases that hold on every line on that of a Jabber account, over an independent server.
final class JabberCallCasesTests: XMPPTestCase {
    func testCasesHoldOnJabberLine() throws {
        try onMainActor {
            for test in CallCase.all {
                let line = try TestedJabberLine()
                do {
                    try awaited(for: test.name) { try await test.run(line) }
                } catch {
                    XCTFail("\(test.name): \(error)")
                }
                line.end()
            }
        }
    }
}

/// The line of an account, whose calls another account takes or declines.
@MainActor
private final class TestedJabberLine: TestedLine {
    let calls: CallManager
    let canTransfer = false
    private(set) var ends: [CallEndReason] = []
    private let own: CallPhone
    private let other: CallPhone
    private let lines = LineRegistry(fallback: NoLine())
    private let line: any Line
    private var waiting: CheckedContinuation<Void, Never>?

    init() throws {
        (own, other) = (try CallPhone("ada"), try CallPhone("bob"))
        try befriend(own.fixture, other.fixture)
        line = try XCTUnwrap(own.fixture.chat.line)
        lines.add(line)
        calls = CallManager(sounds: NoSounds(), clock: own.fixture.clock)
        calls.acceptCalls(from: lines)
        calls.observe(by: self) { [weak self] change in
            guard let self else { return }
            if case .ended(let record) = change { ends.append(record.endReason) }
            guard change == .calls else { return }
            waiting?.resume()
            waiting = nil
        }
    }

    func end() {
        calls.hangUpAll()
        for phone in [own, other] { phone.fixture.chat.signOut() }
    }

    /// Waits for a state of the calls.
    private func wait(until condition: @MainActor () -> Bool) async {
        while !condition() { await withCheckedContinuation { waiting = $0 } }
    }

    func dial(_ farEnd: TestedFarEnd) async throws {
        other.onIncoming = { call in
            switch farEnd {
            case .answers: call.answer()
            case .isBusy: call.declineAsBusy {}
            case .ringsOnly, .doesNotExist: break
            }
        }
        // A server has no line.
        let called = farEnd == .doesNotExist ? ChatAddress("localhost") : other.fixture.address
        calls.dial(RemoteParty(called), on: line)
        let state: CallState =
            switch farEnd {
            case .answers: .connected
            case .ringsOnly: .ringing
            case .isBusy, .doesNotExist: .refused
            }
        await wait { self.calls.calls.last?.state == state }
    }

    func offer() async throws {
        let call = try other.dial(own.jid)
        await wait { self.calls.incoming != nil }
        XCTAssertEqual(call.party, own.jid)
    }

    func hangUpAtFarEnd() async throws {
        let count = ends.count
        try XCTUnwrap(other.incoming.last).hangUp()
        await wait { self.ends.count > count }
    }

    func confirmTransfer() async throws {}
}

/// A line that is never used.
@MainActor
private final class NoLine: Line {
    let id = "practice"
    let label = "PRACTICE"
    let state = LineState.available
    var onEvent: ((LineEvent) -> Void)?

    func dial(_ remote: RemoteParty) -> any LineCall { preconditionFailure("nothing is dialled here") }
}

private final class NoSounds: SoundOutput {
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound { PlayedSound(number: 0) }
    func stop(_ sound: PlayedSound) {}
}
