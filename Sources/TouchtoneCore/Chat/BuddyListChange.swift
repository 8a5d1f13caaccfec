// SPDX-License-Identifier: GPL-3.0-or-later

/// A change of a list of buddies, which names its rows.
public enum BuddyListChange<RowID: Hashable & Sendable>: Hashable, Sendable {
    /// The set of rows or their order changed. Many changes in a short time are reported as one.
    case rows
    /// The content of a row changed; its position did not.
    case row(RowID)
    /// A buddy started or stopped typing, whether or not its row is shown.
    case typing(RowID)
    /// The pending requests or invitations changed.
    case requests
    /// A buddy’s avatar changed.
    case picture(RowID)
}
