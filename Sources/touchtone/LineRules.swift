// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// How numbers are written on each line, by the settings.
@MainActor
enum LineRules {
    /// Returns the source of a line's rules, which are made when a number is dialled.
    ///
    /// - Parameters:
    ///   - library: formats the numbers that need it; libphonenumber is loaded for the first of them.
    ///   - region: gives the region whose numbering plan the line has.
    static func source(
        of line: String, resources: Resources, library: any OutgoingFormatting,
        region: @escaping @MainActor () -> String
    ) -> @MainActor () -> DialRules {
        // With an older schema numbers stay as they are.
        guard let settings = try? LineSettings.open(line, resources: resources) else {
            return { DialRules() }
        }
        return {
            let region = region()
            return LineSettings.rules(settings) { library.outgoing($0, form: $1, region: region) }
        }
    }
}
