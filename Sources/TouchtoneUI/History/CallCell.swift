// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The content of a row of the call list.
struct CallCell: Hashable {
    /// The day, if the call is the first one listed for it; nil otherwise.
    var heading: String?
    let kind: PastCall.Kind
    /// The far end: its name, or else its number, or else its address.
    let name: String
    /// The number, if `name` is different, and the line.
    let details: [String]
    /// The time, to the minute.
    let time: String
    /// The date and time, to the second.
    let moment: String
    /// The duration, or the reason why the call was not answered; may be empty.
    let outcome: String
    /// Whether the call was missed and has not been seen since.
    let isNew: Bool
    /// Whether there is text of the call.
    let hasText: Bool
    /// The recordings of the call; nil for none.
    var recording: RecordingCell?
    let accessibleName: String
}
