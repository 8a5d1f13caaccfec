// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The quality of the call and the level of the microphone, which the user unfolds on the call card.
///
/// It is measured only while it is on the screen.
@MainActor
final class CallQualityView {
    var onToggle: (@MainActor () -> Void)?

    private let widget: Widget
    private var values: [Widget] = []
    /// The widgets that show the quality, and those of the microphone.
    private var (ofQuality, ofMicrophone): ([Widget], [Widget]) = ([], [])
    private let level: LevelBar
    private var shown: CallQuality?

    /// Fills an empty expander on a card.
    init(_ expander: Widget, on card: Widget, of calls: CallManager) {
        widget = expander
        let bar: Widget = gtk_level_bar_new()
        level = LevelBar(bar)
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
            ofQuality += [name, value]
        }
        let microphone = Self.cell(localized("Microphone"), side: 1)
        bar.setAccessible(name: localized("Microphone Level"))
        gtk_widget_set_valign(bar, GTK_ALIGN_CENTER)
        gtk_grid_attach(grid.cast(), microphone, 0, gint(values.count), 1, 1)
        gtk_grid_attach(grid.cast(), bar, 1, gint(values.count), 1, 1)
        ofMicrophone = [microphone, bar]
        gtk_container_add(expander.cast(), grid)
        gtk_widget_show_all(grid)
        let update: @MainActor () -> Void = { [calls] in
            let isSeen = gtk_widget_get_mapped(card) != 0 && gtk_expander_get_expanded(expander.cast()) != 0
            calls.measuresQuality = isSeen
            calls.microphone.isWatched = isSeen
        }
        // The card, because GTK does not unmap what is in its viewport.
        for signal in ["map", "unmap"] { Signal.connect(card, signal, update) }
        Signal.connectNotify(expander, "notify::expanded") { [weak self] in
            update()
            self?.onToggle?()
        }
        calls.microphone.onLevel = { [level, weak calls] in level.show(calls?.microphone.level) }
        write(nil)
    }

    var isOpen: Bool { widget.isVisible && gtk_expander_get_expanded(widget.cast()) != 0 }

    /// Shows the quality of a call, if its line can measure it.
    func show(_ call: Call) {
        let (hasQuality, hasLevel) = (
            call.features.contains(.quality), call.features.contains(.microphoneLevel)
        )
        widget.isVisible = (hasQuality || hasLevel) && call.state.isConversation
        for part in ofQuality { part.isVisible = hasQuality }
        for part in ofMicrophone { part.isVisible = hasLevel }
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
