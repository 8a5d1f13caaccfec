// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The lines of a contact’s card about the last call and the last message.
@MainActor
final class ContactActivityView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL)
    private let call = Widget.label(style: "card-line")
    private let message = Widget.label(style: "card-line")
    private let history: CallHistory
    private let messenger: Messenger
    /// The number of the last reading: the results of earlier ones are ignored.
    private var reading = 0
    /// The contact that is shown; nil before the first one.
    private var card: ContactCard?

    init(history: CallHistory, messenger: Messenger) {
        (self.history, self.messenger) = (history, messenger)
        for label in [call, message] {
            label.wrapText(width: 24)
            gtk_label_set_xalign(label.cast(), 0.5)
            gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
            gtk_widget_set_no_show_all(label, 1)
            widget.add(label)
        }
        // While the card was out of sight, the user may have called the contact or written to it.
        Signal.connect(widget, "map") { [weak self] in self?.read() }
        // Assistive tools may still hold the labels when the phone is locked.
        Signal.connect(widget, "unmap") { [weak self] in self?.clear() }
    }

    /// Reads and shows the activity of a contact, which `isDifferent` from the one shown so far or not.
    func show(_ card: ContactCard, isDifferent: Bool) {
        if isDifferent { clear() }
        self.card = card
        read()
    }

    private func clear() {
        reading += 1
        show(nil, nil)
    }

    private func read() {
        guard let card, gtk_widget_get_mapped(widget) != 0 else { return }
        reading += 1
        let reading = reading
        Task { [weak self, history, messenger] in
            let (last, written) = (
                await history.lastCall(with: card), await messenger.lastMessage(with: card)
            )
            if let self, reading == self.reading { show(last, written) }
        }
    }

    private func show(_ last: PastCall?, _ written: ChatMessage?) {
        let stamps = LocaleStamps()
        set(
            call,
            last.map { call in
                localized(
                    "Last call: {kind}, {time}",
                    ["kind": call.kind.accessibleText, "time": stamps.dateAndTime(call.began)])
            })
        set(
            message,
            written.map { message in
                let values: KeyValuePairs = [
                    "text": PlainText.line(message.summary, maximum: 80),
                    "time": stamps.dateAndTime(message.time),
                ]
                return message.sender == .me
                    ? localized("Last message: you, “{text}”, {time}", values)
                    : localized("Last message: “{text}”, {time}", values)
            })
    }

    private func set(_ label: Widget, _ text: String?) {
        label.text = text ?? ""
        label.isVisible = text != nil
    }
}
