// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the real-time text of a past call: who typed what, in order.
@MainActor
final class KeptTextPopover {
    private let popover: TransientPopover
    private let lines: [KeptTextRow.Line]
    private let list = VirtualList<Int, KeptTextRow>(name: localized("Text of the call"), guess: 40) {
        KeptTextRow()
    }

    /// Whether the first line takes the focus as soon as it is built.
    private var wantsFocus = true

    private static let height: gint = 300

    private init(_ text: KeptCallText, name: String, at widget: Widget) {
        popover = TransientPopover(at: widget)
        lines = zip(text.lines, [nil] + text.lines).map { line, before in
            KeptTextRow.Line(
                isOwn: line.side == .own, isFirst: line.side != before?.side,
                sender: line.side == .own ? localizedIn("sender of a message", "you") : name, text: line.text)
        }
        let column = popover.makeColumn(localized("Text of the call"))
        gtk_widget_set_size_request(list.widget, -1, Self.height)
        column.add(list.widget, grows: true)
        if text.isCut {
            column.add(
                .wrappedLabel(localized("There was more text than is kept of a call."), style: "ask-name"))
        }
        let copy = Widget.button(localizedIn("verb", "Copy All"))
        gtk_widget_set_halign(copy, GTK_ALIGN_END)
        column.add(copy)
        gtk_widget_show_all(column)
        Signal.connect(copy, "clicked") { [weak self] in self?.copyAll() }
        list.show = { [weak self] row, index in if let self { row.show(lines[index]) } }
        list.onMove = { [weak self] in self?.takeFocus() }
        list.onKey = { [weak self] index, key in
            guard key.state & GDK_CONTROL_MASK.rawValue != 0, Keyboard.latinLetter(of: key) == "c" else {
                return false
            }
            if let self { Clipboard.write(lines[index].text) }
            return true
        }
        list.set(Array(lines.indices))
    }

    /// Reads the text of a call, and opens a popover with it at a widget that still has a place then.
    ///
    /// - Parameter name: The name of the far end.
    static func show(textOf call: Int64, in history: CallHistory, name: String, at widget: Widget) {
        let place = GObjectRef(retaining: widget)
        Task {
            guard let text = await history.text(of: call), !text.lines.isEmpty,
                gtk_widget_get_mapped(place.cast()) != 0
            else { return }
            let shown = KeptTextPopover(text, name: name, at: place.cast())
            shown.popover.open(with: shown)
            shown.takeFocus()
        }
    }

    private func takeFocus() {
        guard wantsFocus, list.row(0) != nil else { return }
        wantsFocus = false
        list.focusFirst()
    }

    private func copyAll() {
        Clipboard.write(lines.map(\.sentence).joined(separator: "\n"))
        popover.close()
    }
}

/// A line of the text of a past call, below the name of its side if it is the first one of that side in a row.
@MainActor
final class KeptTextRow: ListRow {
    struct Line {
        let isOwn, isFirst: Bool
        let sender, text: String

        var sentence: String { localized("{sender}: {text}", ["sender": sender, "text": text]) }
    }

    let ref = KeptTextRow.makeBox(style: "kept-text")
    private let name = Widget.wrappedLabel(style: "text-name")
    private let text = Widget.wrappedLabel(style: "text-line")

    init() {
        let column = Widget.box(GTK_ORIENTATION_VERTICAL)
        gtk_container_add(box.cast(), column)
        for label in [name, text] {
            // Without it, GTK would measure a long text with one letter on each line, for 100 ms.
            gtk_label_set_width_chars(label.cast(), 12)
            column.add(label)
        }
        gtk_widget_set_no_show_all(name, 1)
    }

    func show(_ line: Line) {
        name.text = line.sender
        name.isVisible = line.isFirst
        text.text = DirectionControls.contained(line.text)
        for label in [name, text] { gtk_label_set_xalign(label.cast(), line.isOwn ? 1 : 0) }
        box.set(style: "text-far", !line.isOwn)
        box.setAccessible(
            name: localized("{sender}: {text}", ["sender": line.sender, "text": text.text]))
    }
}
