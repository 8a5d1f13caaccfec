// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneMobile
import TouchtoneUI

/// The composition of the lines of mobile phones.
@MainActor
enum MobileComposition {
    /// Creates the lines, which look for phones later.
    static func make(
        _ settings: Settings, lines: LineRegistry,
        rules: @escaping @MainActor (String) -> @MainActor () -> DialRules
    ) -> MobileLines {
        let mobiles = MobileLines(
            MobileLines.Dependencies(
                lines: lines, clock: MainLoopScheduler(), makeRules: rules,
                connect: { bus throws(GLibError) in try await DBusConnection.connect(to: bus) }),
            chosen: settings[text: "dial-line"])
        settings.follow("dial-line") { [weak settings, weak mobiles] in
            if let settings { mobiles?.chosen = settings[text: "dial-line"] }
        }
        return mobiles
    }
}
