// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension BuddyList {
    /// The number of people that are listed as available.
    public var onlineCount: Int { rows.count { $0.availability != .offline && $0.room == nil } }
}

extension AllBuddies {
    /// The number of people that are listed as available.
    public var onlineCount: Int {
        order.compactMap { row(of: $0) }.count { $0.availability != .offline && $0.room == nil }
    }
}
