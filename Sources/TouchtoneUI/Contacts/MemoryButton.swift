// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The MEM key: a press waits for the memory key to dial, a long press for the one to store in.
@MainActor
final class MemoryButton {
    private let button: GObjectRef
    private let phone: Phone

    init(_ button: Widget, phone: Phone) {
        self.button = GObjectRef(retaining: button)
        self.phone = phone
        gtk_widget_set_sensitive(button, 1)
        // A tooltip would cover the keys that are to be pressed.
        gtk_widget_set_tooltip_text(button, nil)
        button.setAccessible(description: Self.help)
        gtk_widget_add_events(button, gint(GDK_TOUCH_MASK.rawValue))
        Signal.connectEvent(button, "button-press-event") { event in
            guard event.pointee.button.button == GDK_BUTTON_PRIMARY else { return false }
            if event.pointee.type == GDK_BUTTON_PRESS { phone.pressMemory() }
            return true
        }
        Signal.connectEvent(button, "button-release-event") { event in
            guard event.pointee.button.button == GDK_BUTTON_PRIMARY else { return false }
            phone.releaseMemory()
            return true
        }
        for end in ["leave-notify-event", "grab-broken-event"] {
            Signal.connectEvent(button, end) { _ in
                phone.releaseMemory()
                return false
            }
        }
        Signal.connectEvent(button, "touch-event") { event in
            switch event.pointee.touch.type {
            case GDK_TOUCH_BEGIN: phone.pressMemory()
            case GDK_TOUCH_UPDATE: break
            default: phone.releaseMemory()
            }
            return true
        }
        // Space, Return and assistive tools emit “clicked”; the keyboard has a separate shortcut to store.
        Signal.connect(button, "clicked") { phone.askMemory(.dial) }
        Signal.connect(button, "unmap") { phone.releaseMemory() }
    }

    private static var help: String {
        localized(
            "Press MEM, then 1 to 9, to dial (Ctrl+E); hold MEM, then press 1 to 9, to store the number (Shift+Ctrl+E)"
        )
    }

    func show() {
        let widget: Widget = button.cast()
        widget.set(style: "lit", phone.memoryQuestion != nil)
        widget.setAccessible(description: phone.memoryQuestion?.spoken ?? Self.help)
    }
}

extension MemoryDialling.Question {
    /// The digit for which MEM waits, for a screen reader.
    var spoken: String {
        switch self {
        case .dial: localized("waiting for a memory key to dial, 1 to 9")
        case .store: localized("waiting for a memory key to store the number in, 1 to 9")
        }
    }
}
