// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneNumbers
import TouchtoneUI

/// How numbers are written on each line, by the settings.
@MainActor
enum LineRules {
    /// What gives a line its rules, which are made when a number is dialled; libphonenumber is loaded only for those that
    /// need a plan.
    ///
    /// - Parameter region: whose plan it is.
    static func source(
        of line: String, resources: Resources, library: PhoneNumberLibrary,
        region: @escaping @MainActor () -> String
    ) -> @MainActor () -> DialRules {
        // With an older schema numbers stay as they are.
        guard let settings = try? LineSettings.open(line, resources: resources) else {
            return { DialRules() }
        }
        return { LineSettings.rules(settings) { library.plan(of: region()) } }
    }
}
