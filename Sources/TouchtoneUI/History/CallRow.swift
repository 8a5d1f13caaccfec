// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A call in the list: its kind, far end, time and outcome, below the day if it is the first one of that day.
@MainActor
final class CallRow: ListRow {
    let ref = CallRow.makeBox(style: "call")
    private let column = Widget.box(GTK_ORIENTATION_VERTICAL)
    /// The label with the day; created when first needed, since most rows have none.
    private var heading: Widget?
    private let mark = CallDirectionIcon()
    private let name = Widget.label(isCut: true, style: "call-name")
    private let time = Widget.label(style: "stamp")
    private let details = Widget.label(isCut: true, style: "buddy-words")
    private let outcome = Widget.label(style: "call-outcome")
    private let message = Widget.messageButton(tip: "")
    private let call = Widget.iconButton("call-start-symbolic", name: localizedIn("verb", "Call"), tip: "")
    private let textKey = Widget.iconButton(
        "text-x-generic-symbolic", name: localized("Show Text"),
        tip: localized("Show what was typed in this call"))
    private let play = Widget.iconButton(
        "media-playback-start-symbolic", name: localizedIn("verb", "Play"), tip: "")
    private(set) var cell: CallCell?
    /// The action of the button that plays what was recorded of the call, or stops it.
    var onPlay: (@MainActor () -> Void)?
    /// The action of the button; the row has no button if it is nil.
    var onMessage: (@MainActor () -> Void)? { didSet { message.isVisible = onMessage != nil } }
    /// The action of the button that calls back; the row has none if it is nil.
    var onCall: (@MainActor () -> Void)? { didSet { call.isVisible = onCall != nil } }
    /// The action of the button with which a call with text has it shown.
    var onText: (@MainActor () -> Void)?

    init() {
        gtk_container_add(box.cast(), column)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10, style: "call-line")
        column.add(line)
        line.add(mark.widget)
        let text = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 1)
        gtk_widget_set_valign(text, GTK_ALIGN_CENTER)
        line.add(text, grows: true)
        text.add(Self.line(name, time))
        text.add(Self.line(details, outcome))
        for key in [play, textKey, message, call] {
            // A click does not move the focus, which belongs to the row.
            gtk_widget_set_can_focus(key, 0)
            key.set(style: "call-message", true)
            gtk_widget_set_valign(key, GTK_ALIGN_CENTER)
            gtk_widget_set_no_show_all(key, 1)
            line.add(key)
        }
        Signal.connect(play, "clicked") { [weak self] in self?.onPlay?() }
        Signal.connect(textKey, "clicked") { [weak self] in self?.onText?() }
        Signal.connect(message, "clicked") { [weak self] in self?.onMessage?() }
        Signal.connect(call, "clicked") { [weak self] in self?.onCall?() }
    }

    private static func line(_ text: Widget, _ end: Widget) -> Widget {
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        line.add(text, grows: true)
        gtk_widget_set_valign(end, GTK_ALIGN_BASELINE)
        gtk_widget_set_valign(text, GTK_ALIGN_BASELINE)
        line.add(end)
        return line
    }

    private func show(heading text: String?) {
        guard let text else {
            heading?.isVisible = false
            return
        }
        let label = heading ?? .label(isCut: true, style: "day")
        if heading == nil {
            heading = label
            column.add(label)
            gtk_box_reorder_child(column.cast(), label, 0)
        }
        label.text = text
        label.isVisible = true
    }

    private func show(_ recording: RecordingCell?) {
        play.isVisible = recording != nil
        guard let recording else { return }
        let name = recording.isPlaying ? localized("Stop") : localizedIn("verb", "Play")
        let icon = recording.isPlaying ? "media-playback-stop-symbolic" : "media-playback-start-symbolic"
        gtk_image_set_from_icon_name(gtk_button_get_image(play.cast())?.cast(), icon, GTK_ICON_SIZE_BUTTON)
        play.setAccessible(name: name)
        play.setTip([name, recording.length].filter { !$0.isEmpty }.joined(separator: " · "))
    }

    func show(_ cell: CallCell) {
        guard cell != self.cell else { return }
        self.cell = cell
        show(heading: cell.heading)
        mark.show(cell.kind)
        name.text = isolatedText(cell.name)
        details.text = ([cell.kind.word] + cell.details.map(isolatedText)).joined(separator: " · ")
        time.text = cell.time
        outcome.text = cell.outcome
        show(cell.recording)
        textKey.isVisible = cell.hasText
        box.set(style: "missed", cell.kind == .missed)
        box.set(style: "new", cell.isNew || cell.recording?.isHeard == false)
        box.setAccessible(name: cell.accessibleName)
        box.setAccessible(
            description: localizedList(
                ([cell.isNew ? localizedIn("missed call", "new") : ""] + cell.details
                    + [
                        cell.hasText ? localizedIn("past call", "with text") : "",
                        cell.recording?.description ?? "",
                    ]).filter { !$0.isEmpty })
        )
        message.setTip(localized("Message {address}", ["address": cell.name]))
        call.setTip(localized("Call {number}", ["number": cell.name]))
        gtk_widget_set_tooltip_text(box, ([cell.name] + cell.details + [cell.moment]).joined(separator: "\n"))
    }
}

extension PastCall.Kind {
    fileprivate var word: String {
        switch self {
        case .outgoing: localizedIn("kind of call", "Outgoing")
        case .incoming: localizedIn("kind of call", "Incoming")
        case .pickedUp: localizedIn("kind of call", "Picked up")
        case .missed: localizedIn("kind of call", "Missed")
        case .declined: localizedIn("kind of call", "Declined")
        case .blocked: localizedIn("kind of call", "Blocked")
        case .diverted: localizedIn("kind of call", "Diverted")
        }
    }
}
