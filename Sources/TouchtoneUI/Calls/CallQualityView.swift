// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The quality of the call, which the user unfolds on the call card.
///
/// It is measured only while it is on the screen.
@MainActor
final class CallQualityView {
    var onToggle: (@MainActor () -> Void)?

    private let widget: Widget
    private var values: [Widget] = []
    private var shown: CallQuality?

    /// Fills an empty expander on a card.
    init(_ expander: Widget, on card: Widget, of calls: CallManager) {
        widget = expander
        let grid: Widget = gtk_grid_new()
        gtk_grid_set_column_spacing(grid.cast(), 12)
        gtk_grid_set_row_spacing(grid.cast(), 2)
        for (row, caption) in Self.captions.enumerated() {
            let (name, value) = (Self.cell(caption, side: 1), Self.cell("", side: 0))
            // Assistive tools find the meaning of each value, which is the name of its label.
            value.setAccessible(description: caption)
            gtk_grid_attach(grid.cast(), name, 0, gint(row), 1, 1)
            gtk_grid_attach(grid.cast(), value, 1, gint(row), 1, 1)
            values.append(value)
        }
        gtk_container_add(expander.cast(), grid)
        gtk_widget_show_all(grid)
        let update: @MainActor () -> Void = { [calls] in
            calls.measuresQuality =
                gtk_widget_get_mapped(card) != 0 && gtk_expander_get_expanded(expander.cast()) != 0
        }
        // The card, because GTK does not unmap what is in its viewport.
        for signal in ["map", "unmap"] { Signal.connect(card, signal, update) }
        Signal.connectNotify(expander, "notify::expanded") { [weak self] in
            update()
            self?.onToggle?()
        }
        write(nil)
    }

    var isOpen: Bool { widget.isVisible && gtk_expander_get_expanded(widget.cast()) != 0 }

    /// Shows the quality of a call, if its line can measure it.
    func show(_ call: Call) {
        widget.isVisible = call.features.contains(.quality) && call.state.isConversation
        guard call.quality != shown else { return }
        shown = call.quality
        write(shown)
    }

    private static var captions: [String] {
        [
            localized("Packet loss"), localized("Jitter"), localized("Round trip"), localized("Codec"),
            localized("Encryption"),
        ]
    }

    private func write(_ quality: CallQuality?) {
        for (label, text) in zip(values, quality.map(Self.texts) ?? values.map { _ in "–" }) {
            if label.text != text { label.text = text }
        }
    }

    private static func texts(of quality: CallQuality) -> [String] {
        func name(_ text: String, otherwise: String) -> String {
            let line = PlainText.line(text, maximum: 30)
            return line.isEmpty ? otherwise : line
        }
        return [
            percent(quality.loss), milliseconds(quality.jitter),
            quality.roundTrip.map(milliseconds) ?? localized("Unknown"),
            name(quality.codec, otherwise: localized("Unknown")),
            name(quality.encryption, otherwise: localizedIn("encryption", "None")),
        ]
    }

    private static func percent(_ value: Double) -> String {
        0 < value && value < 1
            ? localized("Below {number} %", ["number": localizedNumber(1)])
            : localized("{number} %", ["number": localizedNumber(Int(value.rounded()))])
    }

    private static func milliseconds(_ value: Double) -> String {
        localized("{number} ms", ["number": localizedNumber(Int(value.rounded()))])
    }

    /// Creates a label that is aligned to a side: 0 is the start, 1 the end.
    private static func cell(_ text: String, side: Float) -> Widget {
        let label = Widget.label(text, style: side == 0 ? "quality-value" : "quality-name")
        label.wrapText(width: 12)
        gtk_label_set_xalign(label.cast(), side)
        return label
    }
}
