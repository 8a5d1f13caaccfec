// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The fourteen keys under the display.
@MainActor
final class KeypadView {
    /// The grid, to be placed in the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let buttons: [KeyButton]

    init(resources: Resources, phone: Phone) throws(GLibError) {
        builder = try Builder(file: resources.layout("keypad"))
        widget = try builder.object("keypad")
        var buttons: [KeyButton] = []
        for key in KeypadKey.rows.joined() {
            buttons.append(KeyButton(try builder.object(Self.id(of: key)), key: key, phone: phone))
        }
        self.buttons = buttons
        // A telephone's keypad is the same everywhere: it is not mirrored where text runs from right to left.
        gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
    }

    /// Shows which keys are down.
    func show(keysDown: Set<KeypadKey>) {
        for button in buttons { button.show(down: keysDown.contains(button.key)) }
    }

    /// The key that has the keyboard's focus.
    var focusedKey: KeypadKey? { buttons.first(where: \.hasFocus)?.key }

    private static func id(of key: KeypadKey) -> String { "key-\(key.accessibleName.lowercased())" }
}
