// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The reactions to a message, one key for each emoji, under its balloon.
///
/// A click adds or removes the user’s own.
@MainActor
final class ReactionChips: RareView {
    /// A box with the flow box at one side.
    ///
    /// GTK reads past its own list if a flow box itself stands at the end, and its last line is full: at times, a key had
    /// the width of one pixel.
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL)
    private let keys: Widget = gtk_flow_box_new()
    private var shown: [Chip] = []
    private let onClick: @MainActor (String) -> Void
    private static let least = 4

    /// An emoji, and the display names of those who react with it.
    struct Chip: Hashable {
        let emoji: String
        let names: [String]
        let isMine: Bool

        /// The text of the chip, and of the description of the row.
        var text: String { names.count == 1 ? emoji : "\(emoji) \(names.count)" }
    }

    /// - Parameter onClick: The handler of a click, with the emoji.
    init(onClick: @escaping @MainActor (String) -> Void) {
        self.onClick = onClick
        let flow: UnsafeMutablePointer<GtkFlowBox> = keys.cast()
        gtk_flow_box_set_selection_mode(flow, GTK_SELECTION_NONE)
        gtk_flow_box_set_column_spacing(flow, 4)
        gtk_flow_box_set_row_spacing(flow, 4)
        gtk_flow_box_set_max_children_per_line(flow, 12)
        gtk_widget_set_halign(keys, GTK_ALIGN_START)
        widget.add(keys)
        gtk_widget_show(keys)
        widget.set(style: "reactions", true)
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(widget, 16) }
        gtk_widget_set_margin_top(widget, 4)
    }

    func show(_ chips: [Chip], isLeft: Bool) {
        gtk_widget_set_halign(widget, isLeft ? GTK_ALIGN_START : GTK_ALIGN_END)
        guard chips != shown else { return }
        shown = chips
        gtk_container_foreach(keys.cast(), { child, _ in gtk_widget_destroy(child) }, nil)
        // Aligned at one side, it is as narrow as this number allows; more would not fit a narrow panel with large text.
        gtk_flow_box_set_min_children_per_line(keys.cast(), guint(min(chips.count, Self.least)))
        for chip in chips {
            let names = localizedList(chip.names.map { PlainText.line($0, maximum: 60) })
            let key = Widget.button(chip.text, style: "chip")
            key.set(style: "mine", chip.isMine)
            // A flow box makes a single child wider than itself.
            gtk_widget_set_halign(key, GTK_ALIGN_START)
            gtk_widget_set_tooltip_text(key, names)
            cgtk_widget_set_accessible(key, chip.emoji, names)
            Signal.connect(key, "clicked") { [onClick] in onClick(chip.emoji) }
            gtk_flow_box_insert(keys.cast(), key, -1)
            // It would be a stop for Tab beside its key.
            guard let child = gtk_widget_get_parent(key) else { continue }
            gtk_widget_set_can_focus(child, 0)
            // Nor is it a row of the conversation.
            atk_object_set_role(gtk_widget_get_accessible(child), ATK_ROLE_FILLER)
            gtk_widget_show_all(child)
        }
    }
}
