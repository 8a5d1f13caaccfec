// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// An error that tonegen reports to the user.
struct CommandError: Error {
    let description: String

    init(_ description: String) { self.description = description }

    static func unexpected(_ argument: String) -> CommandError {
        CommandError(
            localized("unexpected argument “{argument}”; see tonegen --help", ["argument": argument]))
    }

    static func unreadable(_ path: String) -> CommandError {
        CommandError(
            localized("cannot read “{file}”: {reason}", ["file": path, "reason": OutputFile.reason]))
    }

    static func unwritable(_ path: String) -> CommandError {
        CommandError(
            localized("cannot write “{file}”: {reason}", ["file": path, "reason": OutputFile.reason]))
    }
}
