// SPDX-License-Identifier: GPL-3.0-or-later

public import HelperMessages
public import SIPMessages
public import TouchtoneCore
import TouchtoneHelpers

/// The calls of one connection to the engine, by their ids.
@MainActor
public final class EngineCalls {
    private let transmit: @MainActor (SIPCommand, PassedDescriptor?) -> Void
    private var calls: [SIPCallID: any EngineCall] = [:]
    private var lastID = 0

    /// - Parameter transmit: A function that sends a command to the engine, with a file if there is one.
    public init(transmit: @escaping @MainActor (SIPCommand, PassedDescriptor?) -> Void) {
        self.transmit = transmit
    }

    /// Adds a call of the phone, and returns its new id.
    public func add(_ call: any EngineCall) -> SIPCallID {
        lastID += 2
        let id = SIPCallID(rawValue: lastID)
        calls[id] = call
        return id
    }

    /// Adds a call that the engine has reported.
    public func add(_ call: any EngineCall, as id: SIPCallID) { calls[id] = call }

    /// Whether the engine may use an id for a new call.
    public func isFree(_ id: SIPCallID) -> Bool { id.rawValue % 2 == 1 && calls[id] == nil }

    /// Sends a command for a call, also for one that is not kept: the engine may report any number, and the end of none.
    public func send(_ command: SIPCallCommand, to id: SIPCallID, with file: OpenFile? = nil) {
        transmit(.call(id, command), file.flatMap { PassedDescriptor($0) })
    }

    /// Passes an event to its call; one of an unknown call is ignored.
    public func handle(_ event: SIPCallEvent, of id: SIPCallID) {
        let call = calls[id]
        if case .ended = event { calls[id] = nil }
        call?.handle(event)
    }

    /// Whether there is no call, also none that was hung up and whose end the engine has not reported.
    public var isEmpty: Bool { calls.isEmpty }

    public var isInCall: Bool { calls.values.contains { !$0.hasEnded } }

    /// Ends all calls, because the engine has ended.
    func endAll(_ reason: CallEndReason) {
        let ended = calls.sorted { $0.key.rawValue < $1.key.rawValue }
        calls = [:]
        for (_, call) in ended { call.end(reason) }
    }
}
