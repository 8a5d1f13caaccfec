// SPDX-License-Identifier: GPL-3.0-or-later

public import SIPMessages
public import TouchtoneCore

/// A call whose sound the engine carries.
@MainActor
public protocol EngineCall: LineCall {
    /// The id in messages to the engine; nil before the engine gets the call.
    var engineID: SIPCallID? { get }

    /// Whether nothing of the call is of interest any more.
    var hasEnded: Bool { get }

    func handle(_ event: SIPCallEvent)

    /// Ends the call for a reason of the phone.
    func end(_ reason: CallEndReason)
}
