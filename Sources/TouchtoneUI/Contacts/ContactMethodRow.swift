// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A contact method on the card: its type, the number or address, and buttons for its actions.
@MainActor
struct ContactMethodRow {
    /// The method, and the box with its buttons, which is below the method if text is large.
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4, style: "way")
    private let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)

    /// The actions on a method; an action that is nil has no button.
    struct Actions {
        var call: (@MainActor () -> Void)?
        var message: (@MainActor () -> Void)?
        /// The action that opens the conversation with what can be called, too; it has a small button, beside that to
        /// call.
        var messageNumber: (@MainActor () -> Void)?
        var copy: @MainActor () -> Void
        /// The action that opens the menu of memory keys at a widget.
        var memory: (@MainActor (Widget) -> Void)?
    }

    /// `shown` is the number or address as displayed; `memory` is the digit of the memory key that dials it.
    init(_ method: ContactMethod, shown: String, memory: Int?, actions: Actions) {
        let column = Widget.box(GTK_ORIENTATION_VERTICAL)
        let kind = ContactStrings.label(method)
        let label =
            memory.map { localized("{kind} · MEM {digit}", ["kind": kind, "digit": String($0)]) } ?? kind
        column.add(.cutLabel(label, style: "way-kind"))
        let address = Widget.cutLabel(shown, style: "way-text")
        gtk_widget_set_tooltip_text(address, shown)
        // Numbers and addresses are written from left to right in every language.
        let isMirrored = gtk_widget_get_direction(column) == GTK_TEXT_DIR_RTL
        gtk_widget_set_direction(address, GTK_TEXT_DIR_LTR)
        gtk_label_set_xalign(address.cast(), isMirrored ? 1 : 0)
        column.add(address)
        widget.add(column, grows: true)
        widget.add(keys)
        widget.stackWithLargeText()
        if let call = actions.call {
            add(localizedIn("verb", "Call"), localized("Call {number}", ["number": shown]), call)
        }
        if let message = actions.message {
            add(localizedIn("verb", "Message"), localized("Message {address}", ["address": shown]), message)
        }
        if let message = actions.messageNumber {
            let key = Widget.messageButton(tip: localized("Message {address}", ["address": shown]))
            Signal.connect(key, "clicked", message)
            add(key)
        }
        if let memory = actions.memory {
            let key = Widget.iconButton(
                "view-pin-symbolic", name: localized("Memory key for {number}", ["number": shown]),
                tip: localized("Memory key…"))
            Signal.connect(key, "clicked") { memory(key) }
            add(key)
        }
        let copy = Widget.iconButton(
            "edit-copy-symbolic", name: localized("Copy {address}", ["address": shown]),
            tip: localizedIn("verb", "Copy"))
        Signal.connect(copy, "clicked", actions.copy)
        add(copy)
    }

    private func add(_ text: String, _ name: String, _ action: @escaping @MainActor () -> Void) {
        let key = Widget.button(text, style: "panel-key", "accept")
        cgtk_widget_set_accessible(key, name, nil)
        Signal.connect(key, "clicked", action)
        add(key)
    }

    private func add(_ key: Widget) {
        gtk_widget_set_valign(key, GTK_ALIGN_CENTER)
        keys.add(key)
    }
}
