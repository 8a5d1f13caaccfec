// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A paper strip on a key, with what its memory key holds, and the lamp over it.
struct KeyStrip: Hashable {
    let text: String
    var isEmpty = false
    /// Whether the text is a number, of which the last digits tell most.
    var isNumber = false
    /// The state of the key’s extension; unknown also if the key watches none.
    var lamp = ExtensionState.unknown
}

/// The strip under the digit of a key, in place of its letters, and at both sides of the digit the lamp and its word.
@MainActor
final class KeyStripView {
    private let legend, paper, lamp, word: Widget
    private let arrival: Arrival
    private var isBeside = false
    private var shown: KeyStrip?

    /// Adds a strip, which is not shown yet, to the legend of a key.
    init(in legend: Widget) {
        self.legend = legend
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 2)
        // As the keypad, it is the same in every locale.
        gtk_widget_set_direction(row, GTK_TEXT_DIR_LTR)
        lamp = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, style: "key-lamp")
        gtk_widget_set_valign(lamp, GTK_ALIGN_CENTER)
        word = Widget.cutLabel(style: "letters")
        word.set(style: "key-word", true)
        gtk_widget_set_direction(word, GTK_TEXT_DIR_LTR)
        gtk_label_set_xalign(word.cast(), 1)
        gtk_widget_set_margin_end(word, 8)
        // The state is told by more than a colour, also with large text.
        FittedLabel(word.cast(), smallest: 0.4)
        if let digit = legend.children.first {
            let held = GObjectRef(retaining: digit)
            gtk_container_remove(legend.cast(), digit)
            gtk_box_set_center_widget(row.cast(), held.cast())
        }
        gtk_box_pack_start(row.cast(), lamp, 0, 0, 0)
        gtk_box_pack_end(row.cast(), word, 1, 1, 0)
        legend.add(row)
        gtk_box_reorder_child(legend.cast(), row, 0)
        row.isVisible = true
        paper = Widget.cutLabel(style: "letters")
        paper.set(style: "strip-paper", true)
        gtk_label_set_xalign(paper.cast(), 0.5)
        // A number; a name has the direction of its letters.
        gtk_widget_set_direction(paper, GTK_TEXT_DIR_LTR)
        // The text must not ask for more room than the key has.
        gtk_label_set_width_chars(paper.cast(), 1)
        gtk_label_set_max_width_chars(paper.cast(), 8)
        legend.add(paper)
        arrival = Arrival(paper, length: 0.12, distance: 4)
    }

    /// Shows a strip, which slides to its place if there was none, or the letters.
    func show(_ shown: KeyStrip?) {
        let arrives = self.shown == nil && shown != nil
        self.shown = shown
        for part in legend.children.dropFirst() { part.isVisible = (part == paper) == (shown != nil) }
        let state = shown?.lamp.word ?? ""
        // Beside the digit there is no room for another word.
        word.isVisible = !isBeside && !state.isEmpty
        word.text = state
        paper.text = [isBeside ? state : "", shown?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        paper.set(style: "none", shown?.isEmpty == true)
        gtk_label_set_ellipsize(
            paper.cast(), shown?.isNumber == true && !isBeside ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END)
        lamp.isVisible = shown != nil
        for state in ExtensionState.allCases {
            lamp.set(style: state.style, state == shown?.lamp && state != .unknown)
        }
        if arrives { arrival.begin() } else if shown == nil { arrival.end() }
    }

    /// Sets whether the strip stands beside the digit, and otherwise its height.
    func place(beside isBeside: Bool, height: Int) {
        self.isBeside = isBeside
        gtk_widget_set_size_request(paper, -1, isBeside ? -1 : gint(height))
        if shown != nil { show(shown) }
    }
}
