// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A key of the pad, with an optional second action for holding it.
@MainActor
final class PadButton {
    private let button: Widget
    private let press: PadKey
    private let hold: PadKey?
    /// Whether the field accepts the character that holding the key inserts.
    private var isHoldUseful = true
    private var timer: MainLoop.Timer?
    private var wasHeld = false

    init(_ button: Widget, press: PadKey, hold: PadKey?, _ pressed: @escaping @MainActor (PadKey) -> Void) {
        (self.button, self.press, self.hold) = (button, press, hold)
        Signal.connect(button, "clicked") { [weak self] in
            guard let self, !wasHeld else { return }
            pressed(self.press)
        }
        guard let hold else { return }
        Signal.connect(button, "pressed") { [weak self] in
            guard let self, isHoldUseful else { return }
            timer = MainLoop.after(milliseconds: 500) { [weak self] in
                self?.wasHeld = true
                pressed(hold)
            }
        }
        // GTK emits this signal after `clicked`.
        Signal.connect(button, "released") { [weak self] in
            self?.timer = nil
            self?.wasHeld = false
        }
    }

    /// Disables a key, or its hold action, if the field does not accept its character.
    func setSensitive(for content: NumberField.Content) {
        if case .character(let character) = hold { isHoldUseful = content.accepts(character) }
        guard case .character(let character) = press else { return }
        gtk_widget_set_sensitive(button, content.accepts(character) ? 1 : 0)
    }

    /// Returns the keys of the layout of the number pad.
    static func all(
        in builder: Builder, _ pressed: @escaping @MainActor (PadKey) -> Void
    ) throws(GLibError) -> [PadButton] {
        var keys: [PadButton] = []
        for key in DTMFKey.digitsAndSigns {
            let name = KeypadKey.tone(key).accessibleName
            keys.append(
                PadButton(
                    try builder.object("pad-\(name)"), press: .character(key.character),
                    hold: key == .zero ? .character("+") : nil, pressed))
        }
        keys.append(PadButton(try builder.object("pad-delete"), press: .delete, hold: .clear, pressed))
        keys.append(PadButton(try builder.object("pad-done"), press: .done, hold: nil, pressed))
        return keys
    }
}

extension DTMFKey {
    /// The twelve keys of a telephone, without A to D.
    fileprivate static let digitsAndSigns = allCases.filter { !$0.character.isLetter }
}
