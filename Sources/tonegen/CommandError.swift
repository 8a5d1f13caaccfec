// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that tonegen reports to the user.
struct CommandError: Error {
    let description: String

    init(_ description: String) { self.description = description }
}
