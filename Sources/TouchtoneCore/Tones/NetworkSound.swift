// SPDX-License-Identifier: GPL-3.0-or-later

/// What the telephone network says by tones (ITU-T E.180, E.182).
///
/// The raw value is the name in a tone plan.
public enum NetworkSound: String, CaseIterable, Hashable, Sendable {
    /// The line is taken and waits for a number.
    case dial
    /// The far end rings.
    case ringback
    /// The far end is in use.
    case busy
    /// The network has no way through.
    case reorder
    /// Something is wrong with the number: before an announcement.
    case specialInformation = "special-information"
    /// In a call: somebody else is calling.
    case callWaiting = "call-waiting"
    /// The handset was forgotten off the hook.
    case offHook = "off-hook"
}
