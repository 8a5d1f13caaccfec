// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The menu of DECLINE: what else can be done with a call that rings.
@MainActor
enum IncomingMenu {
    static func connect(to key: Widget, _ items: @escaping @MainActor () -> [ContextMenu.Item]) {
        Signal.connectEvent(key, "button-press-event") { event in
            guard gdk_event_triggers_context_menu(event) != 0 else { return false }
            ContextMenu(items: items()).open(at: key, event: event)
            return true
        }
        Signal.connectPopup(key) { ContextMenu(items: items()).open(at: key, event: nil) }
    }
}
