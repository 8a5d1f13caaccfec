// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The commands of the Operator, one key for each, over the message field.
///
/// A click sends the command.
@MainActor
final class CommandChips {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, style: "commands")

    /// - Parameter onClick: The handler of a click, with the command.
    init(onClick: @escaping @MainActor (String) -> Void) {
        for command in OperatorService.commands {
            let key = Widget.button(command, style: "chip")
            Signal.connect(key, "clicked") { onClick(command) }
            widget.add(key)
            gtk_widget_show_all(key)
        }
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_no_show_all(widget, 1)
    }
}
