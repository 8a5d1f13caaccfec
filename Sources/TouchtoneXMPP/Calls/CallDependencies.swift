// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
public import TouchtoneCore
public import TouchtoneEngine

/// The engine of calls, as far as calls over Jabber need it.
@MainActor
protocol SoundEngine: AnyObject {
    /// Whether the engine is installed, and can be used.
    var isAvailable: Bool { get }
    /// Whether the engine accepts commands.
    var isReady: Bool { get }
    var calls: EngineCalls { get }
    /// Starts the engine for a user, or ends it if no other user needs it.
    func setNeeded(_ isNeeded: Bool, by user: AnyObject)
    func observe(by owner: AnyObject, _ body: @escaping @MainActor (CallEngine.Change) -> Void)
    /// Records that the engine did its task.
    func worked()
}

extension CallEngine: SoundEngine {}

/// The calls whose sound goes through the relay of the account’s server, so that the other side does not learn this computer’s
/// address in the network.
public enum RelayUse: String, Sendable {
    /// Those with people who are no buddies, if there is a relay.
    case strangers
    /// All; without a relay, there are none.
    case always
    /// None, unless there is no other way.
    case never
}

/// The needs of a Jabber account’s calls, beside the account.
public struct CallDependencies {
    let engine: any SoundEngine
    /// The id of the line.
    let line: String
    /// A closure that returns the rules for numbers, which go to the gateway in the international form.
    public var makeRules: @MainActor () -> DialRules = { DialRules(form: .international) }
    /// The rules for callers who are no buddies; nil lets all of them ring.
    public var callers: CallerRules?
    /// A closure that returns whose calls go through the relay of the account’s server.
    public var relayUse: @MainActor () -> RelayUse = { .strangers }
    /// A closure that returns whether buddies may call without encryption.
    public var takesPlainCalls: @MainActor () -> Bool = { false }
    /// The place for the identifiers of calls that the history has, which the archive then does not tell again; nil to keep
    /// none.
    public var storage: EntryStorage?

    public init(engine: CallEngine, line: String) { (self.engine, self.line) = (engine, line) }

    init(fake engine: any SoundEngine, line: String) { (self.engine, self.line) = (engine, line) }
}
