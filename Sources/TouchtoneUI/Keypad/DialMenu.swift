// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The menu of DIAL: the lines that can call what is on the display, one of which is chosen for a single call.
@MainActor
enum DialMenu {
    static func connect(to key: Widget, of phone: Phone) {
        Signal.connectEvent(key, "button-press-event") { event in
            guard gdk_event_triggers_context_menu(event) != 0 else { return false }
            open(at: key, of: phone, event)
            return true
        }
        Signal.connectPopup(key) { open(at: key, of: phone, nil) }
    }

    private static func open(at key: Widget, of phone: Phone, _ event: UnsafeMutablePointer<GdkEvent>?) {
        let items = phone.linesForDisplay.map { line in
            let name = ["line": LineStrings.name(of: line)] as KeyValuePairs
            return ContextMenu.Item(
                localized("Call with {line}", name), isEnabled: line.state == .available
            ) { phone.dial(on: line.id) }
        }
        ContextMenu(items: items).open(at: key, event: event)
    }
}
