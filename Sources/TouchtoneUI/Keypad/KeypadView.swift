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
    private let dial: UnsafeMutablePointer<GtkWidget>
    private let dialLabel: UnsafeMutablePointer<GtkLabel>

    init(resources: Resources, phone: Phone) throws(GLibError) {
        builder = try Builder(file: resources.layout("keypad"))
        widget = try builder.object("keypad")
        var buttons: [KeyButton] = []
        for key in KeypadKey.rows.joined() {
            buttons.append(KeyButton(try builder.object(Self.id(of: key)), key: key, phone: phone))
        }
        self.buttons = buttons
        dial = try builder.object(Self.id(of: .dial))
        dialLabel = try builder.object("dial-label")
        // A telephone's keypad is the same everywhere: it is not mirrored where text runs from right to left.
        gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
    }

    /// Shows which keys are down.
    func show(keysDown: Set<KeypadKey>) {
        for button in buttons { button.show(down: keysDown.contains(button.key)) }
    }

    /// Shows what the Dial key does now.
    func show(dialKey use: DialKeyUse) {
        let (label, name) =
            switch use {
            case .dial, .nothing: ("DIAL", "Dial")
            case .answer: ("ANSWER", "Answer")
            case .hangUp: ("HANG UP", "Hang up")
            }
        gtk_label_set_text(dialLabel, label)
        cgtk_widget_set_accessible(dial, name, nil)
        dial.set(style: "hang-up", use == .hangUp)
    }

    /// The key that has the keyboard's focus.
    var focusedKey: KeypadKey? { buttons.first(where: \.hasFocus)?.key }

    private static func id(of key: KeypadKey) -> String { "key-\(key.accessibleName.lowercased())" }
}
