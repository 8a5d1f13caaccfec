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
        keys = try PadButton.all(in: builder, pressed)
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
