// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// The stored form of the direction of a call, `is_incoming`.
///
/// The numbers never change. Any other one than 0 and 2 is read as incoming, as programs did that knew only 0 and 1.
struct StoredDirection: Hashable, Sendable {
    let number: Int64

    init(number: Int64) { self.number = number }

    init(_ direction: Call.Direction) {
        switch direction {
        case .outgoing: number = 0
        case .incoming: number = 1
        case .pickedUp: number = 2
        }
    }

    var direction: Call.Direction {
        switch number {
        case 0: .outgoing
        case 2: .pickedUp
        default: .incoming
        }
    }
}
