// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Runs the cases that hold on every line on that of a SIP account.
    @Suite @MainActor struct CallCasesTests {
        @Test(arguments: CallCase.all.map(\.name)) func caseHoldsOnAccount(name: String) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            try await #require(CallCase.all.first { $0.name == name }).run(TestedAccount(fixture))
        }
    }
}

/// The line of an account, whose engine does what the far end does.
@MainActor
private final class TestedAccount: TestedLine {
    private let fixture: SIPFixture
    private var current: SIPCallID?
    private var nextIncoming = 1

    init(_ fixture: SIPFixture) { self.fixture = fixture }

    var calls: CallManager { fixture.calls }
    var ends: [CallEndReason] { fixture.records.map(\.endReason) }

    func dial(_ farEnd: TestedFarEnd) async throws {
        try fixture.dial("5551234")
        var dialled: SIPCallID?
        try await fixture.wait {
            for case .call(let id, .dial) in self.fixture.engine.takeCommands() { dialled = id }
            return dialled != nil
        }
        let id = try #require(dialled)
        current = id
        let (events, state): ([SIPEvent], CallState) =
            switch farEnd {
            case .answers: ([.call(id, .ringing), .call(id, .answered)], .connected)
            case .ringsOnly: ([.call(id, .ringing)], .ringing)
            case .isBusy: ([.call(id, .ended(SIPEnd(.farEnd, status: 486)))], .refused)
            case .doesNotExist: ([.call(id, .ended(SIPEnd(.farEnd, status: 404)))], .refused)
            }
        events.forEach(fixture.engine.say)
        try await fixture.wait { self.calls.calls.last?.state == state }
    }

    func offer() async throws {
        let id = SIPCallID(rawValue: nextIncoming)
        nextIncoming += 2
        fixture.engine.say(.call(id, .incoming(account: "ada", caller: SIPParty(address: "sip:7@b.example"))))
        try await fixture.wait { self.calls.incoming != nil }
    }

    func hangUpAtFarEnd() async throws {
        let count = ends.count
        fixture.engine.say(.call(try #require(current), .ended(SIPEnd(.farEnd))))
        try await fixture.wait { self.ends.count > count }
    }

    /// Ends the calls of the transfer that the phone asked for.
    func confirmTransfer() async throws {
        var transferred: [SIPCallID] = []
        try await fixture.wait {
            for command in self.fixture.engine.takeCommands() {
                switch command {
                case .call(let id, .transfer(let other)): transferred = [id, other]
                case .call(let id, .transferToAddress): transferred = [id]
                default: break
                }
            }
            return !transferred.isEmpty
        }
        for id in transferred { fixture.engine.say(.call(id, .ended(SIPEnd(.phone, isTransferred: true)))) }
        try await fixture.wait { self.calls.calls.isEmpty }
    }
}
