// SPDX-License-Identifier: GPL-3.0-or-later

/// A tone of the telephone network (ITU-T E.180, E.182); the raw value is its name in a tone plan.
public enum NetworkSound: String, CaseIterable, Hashable, Sendable {
    /// The line is open and waits for a number.
    case dial
    case ringback
    case busy
    /// The network cannot route the call.
    case reorder
    /// The number is invalid; the tone precedes an announcement.
    case specialInformation = "special-information"
    /// Another call comes in during a call.
    case callWaiting = "call-waiting"
    /// Only `tonegen` writes it, by its raw value: the phone has no handset.
    case offHook = "off-hook"
}
