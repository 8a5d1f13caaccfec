// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What a key of the number pad is for.
enum PadKey: Hashable {
    /// Types it.
    case character(Character)
    /// Takes the character before the caret away, or the selection.
    case delete
    /// Empties the field.
    case clear
    /// Puts the pad away.
    case done
}

/// The pad's window under a field, and its keys.
///
/// The keys take no focus: it stays in the field. They make no tones, which would tell a passcode to the room.
@MainActor
final class NumberPadView {
    private let builder: Builder
    private let popover: UnsafeMutablePointer<GtkWidget>
    private var keys: [PadButton] = []
    private var timer: MainLoop.Timer?
    private var fieldPlace = GtkAllocation()

    init(resources: Resources, pressed: @escaping @MainActor (PadKey) -> Void) throws(GLibError) {
        builder = try Builder(file: resources.layout("number-pad"))
        popover = try builder.object("pad")
        // A telephone's keypad is the same everywhere: it is not mirrored where text runs from right to left.
        gtk_widget_set_direction(try builder.object("keys"), GTK_TEXT_DIR_LTR)
        for key in DTMFKey.digitsAndSigns {
            let name = KeypadKey.tone(key).accessibleName
            keys.append(
                PadButton(
                    try builder.object("pad-\(name)"), press: .character(key.character),
                    hold: key == .zero ? .character("+") : nil, pressed))
        }
        keys.append(PadButton(try builder.object("pad-delete"), press: .delete, hold: .clear, pressed))
        keys.append(PadButton(try builder.object("pad-done"), press: .done, hold: nil, pressed))
    }

    // The widgets know of one another: without this the popover would outlive its pad.
    isolated deinit {
        gtk_widget_destroy(popover)
    }

    /// Shows the pad under the field, at once, wherever it stood before.
    func show(under field: NumberField) {
        for key in keys { key.setSensitive(for: field.content) }
        gtk_popover_set_relative_to(popover.cast(), field.entry.cast())
        gtk_widget_show(popover)
    }

    /// Goes to where the field is by now.
    ///
    /// A window gives its popovers their places before they learn where their widgets went, so that they would be a
    /// step behind: the field is given its place once more after that.
    func follow() {
        guard let field = gtk_popover_get_relative_to(popover.cast()) else { return }
        var place = GtkAllocation()
        gtk_widget_get_allocation(field, &place)
        guard gdk_rectangle_equal(&place, &fieldPlace) == 0 else { return }
        fieldPlace = place
        timer = MainLoop.after(milliseconds: 0) { [popover] in
            guard let field = gtk_popover_get_relative_to(popover.cast()) else { return }
            gtk_widget_queue_resize(field)
            gtk_widget_queue_resize(popover)
        }
    }

    /// Hides the pad, at once.
    func hide() {
        gtk_widget_hide(popover)
        // It holds its field no more, which may be about to go.
        gtk_popover_set_relative_to(popover.cast(), nil)
    }
}

/// A key of the pad: a press types, a longer one may do something else.
@MainActor
private final class PadButton {
    private let button: UnsafeMutablePointer<GtkWidget>
    private let press: PadKey
    private let hold: PadKey?
    /// Whether the field has a use for what holding the key types.
    private var isHoldUseful = true
    private var timer: MainLoop.Timer?
    private var wasHeld = false

    init(
        _ button: UnsafeMutablePointer<GtkWidget>, press: PadKey, hold: PadKey?,
        _ pressed: @escaping @MainActor (PadKey) -> Void
    ) {
        self.button = button
        self.press = press
        self.hold = hold
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
        // It comes after the click, if there is one.
        Signal.connect(button, "released") { [weak self] in
            self?.timer = nil
            self?.wasHeld = false
        }
    }

    /// Leaves only what the field can take: a 0 that is held stays a 0 where there can be no plus sign.
    func setSensitive(for content: NumberField.Content) {
        if case .character(let character) = hold { isHoldUseful = content.accepts(character) }
        guard case .character(let character) = press else { return }
        gtk_widget_set_sensitive(button, content.accepts(character) ? 1 : 0)
    }
}

extension DTMFKey {
    /// The twelve keys of a telephone, without A to D.
    fileprivate static let digitsAndSigns = allCases.filter { !$0.character.isLetter }
}
