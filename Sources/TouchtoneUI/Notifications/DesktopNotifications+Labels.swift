// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension DesktopNotifications {
    static func make() -> DesktopNotifications {
        DesktopNotifications(
            name: "Touchtone", desktopEntry: Resources.applicationID,
            labels: Labels(
                open: localizedIn("button of a notification", "Open"),
                reply: localizedIn("button of a notification", "Reply"),
                send: localizedIn("button of a notification", "Send")))
    }
}
