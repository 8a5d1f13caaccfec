// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The keys of the phone on the page that sets a passcode, for a pointer: no pad opens under the fields then.
///
/// They do not take the focus from the field, and play no tones, which would reveal a passcode to people nearby.
@MainActor
final class PasscodeKeys {
    private let builder: Builder
    private var keys: [PadButton] = []

    init(
        in place: Widget, resources: Resources, pressed: @escaping @MainActor (PadKey) -> Void
    ) throws(GLibError) {
        builder = try Builder(file: resources.layout("number-pad"))
        let (popover, grid): (Widget, Widget) = (try builder.object("pad"), try builder.object("keys"))
        keys = try PadButton.all(in: builder, pressed)
        for key in keys { key.setSensitive(for: .digits) }
        gtk_container_remove(popover.cast(), grid)
        gtk_widget_destroy(popover)
        gtk_widget_set_direction(grid, GTK_TEXT_DIR_LTR)
        gtk_container_add(place.cast(), grid)
        gtk_widget_show(place)
    }
}
