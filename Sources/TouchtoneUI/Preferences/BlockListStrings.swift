// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The results of importing and exporting the block list, as sentences for the user.
@MainActor
enum BlockListStrings {
    static func text(_ addition: BlockList.Addition, unreadable: Int, noRoom: String) -> String {
        var parts = [
            localizedPlural("{count} caller added", "{count} callers added", addition.added)
        ]
        if addition.known > 0 {
            parts.append(
                localizedPlural(
                    "{count} was already there", "{count} were already there", addition.known))
        }
        if unreadable > 0 {
            parts.append(
                localizedPlural(
                    "{count} line could not be read", "{count} lines could not be read", unreadable))
        }
        guard addition.leftOut > 0 else { return localizedList(parts) }
        return "\(localized("{results}.", ["results": localizedList(parts)])) \(noRoom)"
    }

    static func text(_ problem: BlockListFile.Problem) -> String {
        switch problem {
        case .wideText:
            localized("The file is text in UTF-16. Save it as text in UTF-8, and import that.")
        case .noText: localized("The file is not a text, and was not imported.")
        case .tooManyLines:
            localizedPlural(
                "The file has more than {count} line and was not imported.",
                "The file has more than {count} lines and was not imported.", BlockListFile.maximumLines)
        case .noColumn:
            localized("It is not clear which column has the numbers. Give it the heading “Number”.")
        }
    }

    static func text(_ trouble: Files.Trouble) -> String {
        switch trouble {
        case .tooLarge:
            localized(
                "The file is larger than {size} MiB and was not imported.",
                ["size": localizedNumber(BlockList.maximumFileSize >> 20)])
        case .noFile: localized("This is not a file with text, and was not imported.")
        case .failed(let reason):
            localized(
                "The file could not be used: {reason}", ["reason": PlainText.line(reason, maximum: 300)])
        }
    }
}
