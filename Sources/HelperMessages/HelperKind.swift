// SPDX-License-Identifier: GPL-3.0-or-later

/// A kind of helper: a process that does one task for the phone.
public protocol HelperKind: SendableMetatype {
    /// The settings with which the helper starts.
    associatedtype Configuration: Codable & Hashable & Sendable
    /// The commands of the phone; the helper executes them in the order in which they were sent.
    associatedtype Command: Codable & Hashable & Sendable
    associatedtype Event: Codable & Hashable & Sendable

    static var program: String { get }
    /// The version of the messages, which both processes must share.
    static var version: Int { get }
}

/// A message from the phone to a helper.
public enum HelperCommand<Kind: HelperKind>: Codable, Hashable, Sendable {
    /// Starts the helper. It is the first message of a connection, and the helper answers it with `HelperEvent.ready`.
    case start(version: Int, Kind.Configuration)
    /// Asks the helper whether it still works; `HelperEvent.heartbeat` with the same number follows.
    case heartbeat(Int)
    case command(Kind.Command)
}

/// A message from a helper to the phone.
public enum HelperEvent<Kind: HelperKind>: Codable, Hashable, Sendable {
    /// The helper has started; the first message of a connection.
    case ready(version: Int)
    /// The answer to `HelperCommand.heartbeat` with the same number.
    case heartbeat(Int)
    case event(Kind.Event)
}

/// The environment variable with the number of the descriptor of a helper's note.
public let helperNoteVariable = "TOUCHTONE_HELPER_NOTE"
