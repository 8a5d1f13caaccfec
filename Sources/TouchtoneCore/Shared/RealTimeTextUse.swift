// SPDX-License-Identifier: GPL-3.0-or-later

/// The user’s choice of where others see what the user types as it is typed: the setting `real-time-text`.
public enum RealTimeTextUse: String, Hashable, Sendable {
    /// Nowhere: neither in conversations nor in calls.
    case never
    /// In the conversations for which the user has chosen it, and in calls to which either side adds it.
    case ask
    /// In every conversation where it is possible and the user has not switched it off, and in calls with those who have had it.
    case always
}
