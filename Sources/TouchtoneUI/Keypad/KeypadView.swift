// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The fourteen keys under the display, some of which are replaced with other widgets during a call.
@MainActor
final class KeypadView {
    let widget: Widget
    private let builder: Builder
    private let buttons: [KeyButton]
    private let dial: Widget
    private let dialLabel: UnsafeMutablePointer<GtkLabel>
    private let digits, bottom, place, delete, left: Widget
    private var sizes: PhoneSizes?
    private var leftKeys: [Widget]
    private var card: Widget?

    init(resources: Resources, phone: Phone) throws(GLibError) {
        builder = try Builder(file: resources.layout("keypad"))
        widget = try builder.object("keypad")
        var buttons: [KeyButton] = []
        for key in KeypadKey.rows.joined() {
            buttons.append(KeyButton(try builder.object(Self.id(of: key)), key: key, phone: phone))
        }
        self.buttons = buttons
        dial = try builder.object(Self.id(of: .dial))
        DialMenu.connect(to: dial, of: phone)
        dialLabel = try builder.object("dial-label")
        digits = try builder.object("digits")
        (place, bottom) = (try builder.object("place"), try builder.object("bottom"))
        delete = try builder.object(Self.id(of: .delete))
        left = try builder.object("left")
        leftKeys = [delete]
        // Shrink labels that are too long for their key, because HANG UP would make the column wider than DIAL does.
        for label in [dialLabel, try builder.object("delete-label")] { FittedLabel(label, smallest: 0.5) }
        // A telephone keypad has the same order in every locale, so it is not mirrored in right-to-left ones.
        for part in [widget, digits, bottom] {
            gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR)
        }
    }

    func show(keysDown: Set<KeypadKey>) {
        for button in buttons { button.show(down: keysDown.contains(button.key)) }
    }

    /// Shows what the memory keys hold, by digit; nil shows the letters of the keys.
    func show(strips: [Int: KeyStrip]?) {
        for button in buttons {
            guard case .tone(let tone) = button.key, let digit = tone.character.wholeNumberValue, digit > 0
            else {
                continue
            }
            button.show(strip: strips?[digit])
        }
    }

    /// Makes the lamps of keys whose extensions ring dark, or lets them shine.
    func setRingingLamps(dark: Bool) { widget.set(style: "dark-lamps", dark) }

    func show(dialKey use: DialKeyAction) {
        let (label, name) =
            switch use {
            case .dial, .nothing: (localized("DIAL"), localizedIn("key", "Dial"))
            case .answer: (localized("ANSWER"), localizedIn("key", "Answer"))
            case .hangUp: (localized("HANG UP"), localizedIn("key", "Hang up"))
            }
        gtk_label_set_text(dialLabel, label)
        cgtk_widget_set_accessible(dial, name, nil)
        dial.set(style: "hang-up", use == .hangUp)
        dial.set(style: "ring", use == .answer)
        // Both would be red.
        delete.set(style: "plain", use == .hangUp)
    }

    /// Sets the sizes of the keys and of the type on them.
    func set(_ sizes: PhoneSizes) {
        self.sizes = sizes
        gtk_box_set_spacing(widget.cast(), gint(sizes.gap))
        for grid in [digits, bottom] {
            gtk_grid_set_row_spacing(grid.cast(), guint(sizes.gap))
            gtk_grid_set_column_spacing(grid.cast(), guint(sizes.columnGap))
        }
        for button in buttons { button.set(sizes) }
        PhoneColumn.set(style: "legends", sizes.legend, of: PhoneSizes.legends, on: widget)
        widget.set(style: "beside", sizes.hasLettersBeside)
        if let card { gtk_widget_set_size_request(card, -1, cardHeight) }
    }

    /// The height of four rows of keys.
    private var cardHeight: gint { sizes.map { gint(4 * $0.key + 3 * $0.gap) } ?? -1 }

    /// Adds a widget that can be shown in place of DEL.
    func add(left widget: Widget) {
        gtk_container_add(left.cast(), widget)
        leftKeys.append(widget)
    }

    /// Shows one of the added widgets in place of DEL, or DEL if `widget` is nil.
    func show(left widget: Widget?) {
        // Show the new widget before hiding the old one, so that the container is never empty and laid out again.
        (widget ?? delete).isVisible = true
        for key in leftKeys where key != widget ?? delete { key.isVisible = false }
    }

    /// Shows a card in place of the digits, at the same height, or the digits if `card` is nil.
    ///
    /// A `GtkStack` is used neither here nor for DEL, because it would clip the shadows of the keys.
    func show(card: Widget?) {
        guard card != self.card else { return }
        if let card {
            if gtk_widget_get_parent(card) == nil { gtk_container_add(place.cast(), card) }
            gtk_widget_set_size_request(card, -1, cardHeight)
        }
        digits.isVisible = card == nil
        self.card?.isVisible = false
        card?.isVisible = true
        self.card = card
    }

    var focusedKey: KeypadKey? { buttons.first(where: \.hasFocus)?.key }

    private static func id(of key: KeypadKey) -> String { "key-\(key.accessibleName.lowercased())" }
}
