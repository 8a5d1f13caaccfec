// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

enum PadKey: Hashable {
    case character(Character)
    /// Deletes the selection, or the character before the caret.
    case delete
    case clear
    case done
}

/// The popover of the number pad, and its keys.
///
/// The keys do not take the focus from the field. They play no tones, which would reveal a passcode to people nearby.
@MainActor
final class NumberPadView {
    private let builder: Builder
    private let popover: Widget
    private var keys: [PadButton] = []
    private var timer: MainLoop.Timer?
    private var fieldPlace = GtkAllocation()

    init(resources: Resources, pressed: @escaping @MainActor (PadKey) -> Void) throws(GLibError) {
        builder = try Builder(file: resources.layout("number-pad"))
        popover = try builder.object("pad")
        // A telephone keypad has the same order in every locale, so it is not mirrored in right-to-left ones.
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

    // The widgets reference each other, so the popover would outlive its pad without this.
    isolated deinit {
        gtk_widget_destroy(popover)
    }

    /// Shows the pad below a field, without animation.
    func show(under field: NumberField) {
        for key in keys { key.setSensitive(for: field.content) }
        gtk_popover_set_relative_to(popover.cast(), field.entry.cast())
        gtk_widget_show(popover)
    }

    /// Moves the pad with its field, by a second layout: GTK allocates popovers before what they point to.
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

    /// Hides the pad, without animation.
    func hide() {
        gtk_widget_hide(popover)
        // Release the field, which may be about to be destroyed.
        gtk_popover_set_relative_to(popover.cast(), nil)
    }
}

/// A key of the pad, with an optional second action for holding it.
@MainActor
private final class PadButton {
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
}

extension DTMFKey {
    /// The twelve keys of a telephone, without A to D.
    fileprivate static let digitsAndSigns = allCases.filter { !$0.character.isLetter }
}
