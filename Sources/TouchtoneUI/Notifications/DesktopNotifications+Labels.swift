// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension DesktopNotifications {
    /// Creates the app's notifications, with labels in the user's language.
    static func make() -> DesktopNotifications {
        DesktopNotifications(
            name: "Touchtone", desktopEntry: Resources.applicationID,
            labels: Labels(
                open: localizedIn("button of a notification", "Open"),
                reply: localizedIn("button of a notification", "Reply"),
                send: localizedIn("button of a notification", "Send")))
    }
}
