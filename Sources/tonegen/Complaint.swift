// SPDX-License-Identifier: GPL-3.0-or-later

/// Why the tool did not do what it was asked for, in words for the person who asked.
struct Complaint: Error {
    let description: String

    init(_ description: String) { self.description = description }
}
