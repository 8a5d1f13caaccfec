// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A line under test, with a call manager: the practice exchange, or an account whose engine the test scripts.
@MainActor
public protocol TestedLine {
    /// The calls on the line.
    var calls: CallManager { get }
    /// The reasons of the calls that have ended, in order.
    var ends: [CallEndReason] { get }
    /// Dials a far end, and waits until it has done what its name says.
    func dial(_ farEnd: TestedFarEnd) async throws
    /// Receives a call, and waits until it rings.
    func offer() async throws
    /// Hangs up the current call at the far end.
    func hangUpAtFarEnd() async throws
    /// Whether the line can transfer calls; on one that cannot, a case expects that the phone does not try.
    var canTransfer: Bool { get }
    /// Waits until the line has confirmed the transfer of all calls.
    func confirmTransfer() async throws
}

extension TestedLine {
    /// True: most lines can.
    public var canTransfer: Bool { true }
}

/// The behaviour of a far end.
public enum TestedFarEnd: CaseIterable, Sendable { case answers, ringsOnly, isBusy, doesNotExist }

/// A case that holds on every line with conversations.
public struct CallCase: Sendable {
    /// The name of the case.
    public let name: String
    /// Runs the case; throws `CallCaseFailure`, or the line's own error.
    public let run: @MainActor @Sendable (any TestedLine) async throws -> Void
}

/// The reason why a case failed.
public struct CallCaseFailure: Error, CustomStringConvertible {
    /// The condition that does not hold, and the states of the calls.
    public let description: String
}

extension CallCase {
    /// All cases.
    public static let all: [CallCase] = [
        CallCase(name: "an answered call is hung up") { line in
            try await line.dial(.answers)
            try line.expect([.connected])
            line.calls.hangUp()
            try line.expect([], ends: [.hungUp])
        },
        CallCase(name: "the far end hangs up") { line in
            try await line.dial(.answers)
            try await line.hangUpAtFarEnd()
            try line.expect([], ends: [.farEnd])
        },
        CallCase(name: "a call that rings is given up") { line in
            try await line.dial(.ringsOnly)
            try line.expect([.ringing])
            line.calls.hangUp()
            try line.expect([], ends: [.hungUp])
        },
        CallCase(name: "a busy number has its tone until the user hangs up") { line in
            try await line.dial(.isBusy)
            try line.expect([.refused])
            line.calls.hangUp()
            try line.expect([], ends: [.busy])
        },
        CallCase(name: "an unknown number has its tone until the user hangs up") { line in
            try await line.dial(.doesNotExist)
            try line.expect([.refused])
            line.calls.hangUp()
            try line.expect([], ends: [.noSuchNumber])
        },
        CallCase(name: "a call is held and resumed") { line in
            try await line.dial(.answers)
            line.calls.setHeld(true)
            try line.expect([.held])
            line.calls.setHeld(false)
            try line.expect([.connected])
            line.calls.hangUp()
            try line.expect([], ends: [.hungUp])
        },
        CallCase(name: "a mute lasts through a hold") { line in
            try await line.dial(.answers)
            line.calls.setMuted(true)
            line.calls.setHeld(true)
            line.calls.setHeld(false)
            try line.check(line.calls.current?.isMuted == true, "the call is muted")
        },
        CallCase(name: "two calls are switched and hung up one by one") { line in
            try await line.talkToTwo()
            line.calls.flash()
            try line.expect([.connected, .held])
            line.calls.hangUp()
            try line.expect([.held], ends: [.hungUp])
            line.calls.flash()
            try line.expect([.connected], ends: [.hungUp])
        },
        CallCase(name: "two calls are joined, separated and hung up together") { line in
            try await line.talkToTwo()
            line.calls.join()
            try line.expect([.joined, .joined])
            line.calls.flash()
            try line.expect([.connected, .held])
            line.calls.join()
            line.calls.hangUp()
            try line.expect([], ends: [.hungUp, .hungUp])
        },
        CallCase(name: "the first call waits while a second number is busy") { line in
            try await line.dial(.answers)
            line.calls.flash()
            try line.check(line.calls.isTakingNumber, "a number can be entered")
            try await line.dial(.isBusy)
            try line.expect([.held, .refused])
            line.calls.flash()
            try line.expect([.connected], ends: [.busy])
        },
        CallCase(name: "two calls are transferred to each other") { line in
            try await line.talkToTwo()
            try line.check(line.calls.canTransfer == line.canTransfer, "the calls can be transferred, or not")
            line.calls.transfer()
            guard line.canTransfer else { return try line.expect([.held, .connected]) }
            try await line.confirmTransfer()
            try line.expect([], ends: [.transferred, .transferred])
        },
        CallCase(name: "a call is transferred to a number that is not called first") { line in
            try await line.dial(.answers)
            line.calls.prepareTransfer()
            line.calls.transfer(to: RemoteParty(DialledNumber("5551234") ?? DialledNumber()))
            guard line.canTransfer else { return try line.expect([.connected]) }
            try await line.confirmTransfer()
            try line.expect([], ends: [.transferred])
        },
        CallCase(name: "a call is transferred to a number that still rings") { line in
            try await line.dial(.answers)
            line.calls.flash()
            try await line.dial(.ringsOnly)
            try line.expect([.held, .ringing])
            line.calls.transfer()
            guard line.canTransfer else { return try line.expect([.held, .ringing]) }
            try await line.confirmTransfer()
            try line.expect([], ends: [.hungUp, .transferred])
        },
        CallCase(name: "an incoming call is answered") { line in
            try await line.offer()
            try line.expect([.incoming])
            line.calls.answer()
            try line.expect([.connected])
            line.calls.hangUp()
            try line.expect([], ends: [.hungUp])
        },
        CallCase(name: "an incoming call is declined during another one") { line in
            try await line.dial(.answers)
            try await line.offer()
            try line.expect([.connected, .incoming])
            line.calls.decline()
            try line.expect([.connected], ends: [.declined])
        },
        CallCase(name: "a waiting call is answered, and the other one is held") { line in
            try await line.dial(.answers)
            try await line.offer()
            line.calls.flash()
            try line.expect([.held, .connected])
        },
    ]
}

extension TestedLine {
    fileprivate func talkToTwo() async throws {
        try await dial(.answers)
        calls.flash()
        try await dial(.answers)
        try expect([.held, .connected])
    }

    fileprivate func check(_ condition: Bool, _ text: String) throws(CallCaseFailure) {
        guard !condition else { return }
        throw CallCaseFailure(description: "not so: \(text); \(calls.calls.map(\.state)), \(ends)")
    }

    fileprivate func expect(_ states: [CallState], ends: [CallEndReason] = []) throws(CallCaseFailure) {
        try check(calls.calls.map(\.state) == states && self.ends == ends, "\(states) and \(ends)")
    }
}
