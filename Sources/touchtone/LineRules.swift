// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneNumbers
import TouchtoneUI

/// The rules for writing numbers on each line, from the settings.
@MainActor
enum LineRules {
    /// Returns a closure that returns a line's current rules; it is called when a number is dialled.
    static func source(
        of line: String, resources: Resources, library: PhoneNumberLibrary,
        region: @escaping @MainActor () -> String
    ) -> @MainActor () -> DialRules {
        // With an older schema, numbers stay unchanged.
        guard let settings = try? resources.lineSettings(line) else {
            return { DialRules() }
        }
        return {
            let region = region()
            return LineSettings.rules(settings) { library.outgoing($0, form: $1, region: region) }
        }
    }
}
