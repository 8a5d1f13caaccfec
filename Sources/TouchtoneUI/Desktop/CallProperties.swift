// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The properties of a call on the bus: nothing of its text or of the digits that were sent.
struct CallProperties: Hashable {
    /// The id of the line; empty while the phone is locked.
    var line = ""
    var direction = ""
    var state = ""
    /// The name of the far end as the display shows it; empty without one, and while the phone is locked.
    var name = ""
    /// The number or the address of the far end; empty if it is withheld, and while the phone is locked.
    var address = ""
    /// The time at which the phone had the call, in seconds since 1970.
    var started: UInt64 = 0
    var isMuted = false
    var isHeld = false
    var isRecorded = false

    var entries: [(key: String, value: Variant)] {
        [
            ("Line", .string(line)), ("Direction", .string(direction)), ("State", .string(state)),
            ("Name", .string(name)), ("Address", .string(address)), ("Started", .uint64(started)),
            ("Muted", .bool(isMuted)), ("Held", .bool(isHeld)), ("Recording", .bool(isRecorded)),
        ]
    }

    /// Returns the properties that differ from those before.
    func changes(since old: CallProperties) -> [(key: String, value: Variant)] {
        let differs = [
            line != old.line, direction != old.direction, state != old.state, name != old.name,
            address != old.address, started != old.started, isMuted != old.isMuted, isHeld != old.isHeld,
            isRecorded != old.isRecorded,
        ]
        return zip(entries, differs).filter(\.1).map(\.0)
    }
}

extension CallState {
    /// The name of the state on the bus.
    var busName: String {
        switch self {
        case .idle: "idle"
        case .dialling: "dialling"
        case .ringing: "ringing"
        case .earlyMedia: "early-media"
        case .incoming: "incoming"
        case .machine: "machine"
        case .connected: "connected"
        case .joined: "joined"
        case .held: "held"
        case .refused: "refused"
        case .ended: "ended"
        }
    }
}
