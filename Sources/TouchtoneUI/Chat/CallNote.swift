// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The contents of the row of a call in a conversation.
struct CallNote: Hashable {
    let kind: PastCall.Kind
    /// The kind of the call, its duration or why it was not answered, and its time.
    let words: String
    let accessibleName: String
    /// The date and time, to the second.
    let moment: String
    /// The name of the day that begins with the call.
    let dayLine: String?
    /// The number or address to call back; nil if the far end has neither.
    let callee: Callee?
    /// The entry in the call history whose text can be shown; nil if there is no text.
    let text: HistoryEntry.ID?

    /// - Parameters:
    ///   - account: The user’s account that calls the other side of the conversation.
    ///   - startsDay: Whether what is before the call is of another day.
    @MainActor
    init(
        _ entry: HistoryEntry, account: ChatAddress?, startsDay: Bool, now: ChatTime, stamps: LocaleStamps
    ) {
        let call = entry.call
        (kind, text) = (call.kind, entry.hasText ? entry.id : nil)
        let isToday = stamps.isSameDay(call.began, now)
        moment = stamps.dateAndTime(call.began)
        let words = [call.kind.sentence, call.outcome, isToday ? stamps.time(call.began) : moment]
        let parts = words.filter { !$0.isEmpty }
        self.words = parts.joined(separator: " · ")
        accessibleName = localizedList(
            parts + (entry.hasText ? [localizedIn("past call", "with text")] : []))
        dayLine = startsDay ? stamps.dayName(of: call.began, now: now) : nil
        if !call.remote.number.isEmpty {
            callee = .number(call.remote.number)
        } else if let person = call.remote.jabberAddress {
            callee = .address(.jabber(person, account: account))
        } else {
            callee = CallAddress(call.remote.address).map(Callee.address)
        }
    }
}

extension PastCall.Kind {
    fileprivate var sentence: String {
        switch self {
        case .outgoing: localizedIn("call in a conversation", "Outgoing call")
        case .incoming: localizedIn("call in a conversation", "Incoming call")
        case .pickedUp: localizedIn("call in a conversation", "Picked-up call")
        case .missed: localized("Missed call")
        case .declined: localizedIn("call in a conversation", "Declined call")
        case .blocked: localizedIn("call in a conversation", "Blocked call")
        case .diverted: localizedIn("call in a conversation", "Diverted call")
        }
    }
}

/// A call in the conversation: a small line, with a key to call back if it was missed, or to show its text if it has any.
@MainActor
final class CallNoteView: RareView {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "call-note")
    private let mark = CallDirectionIcon()
    private let label = Widget.label(isCut: true, style: "stamp")
    private let text = Widget.button(localized("Show Text"), style: "panel-key", "plain")
    private let callBack = Widget.button(localized("Call Back"), style: "panel-key", "plain")

    init(_ act: @escaping @MainActor (MessageRow.Action) -> Void) {
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        for part in [mark.widget, label, text, callBack] {
            gtk_widget_set_valign(part, GTK_ALIGN_CENTER)
            widget.add(part)
            gtk_widget_show(part)
        }
        Signal.connect(text, "clicked") { act(.callText) }
        Signal.connect(callBack, "clicked") { act(.callBack) }
    }

    func show(_ note: CallNote) {
        mark.show(note.kind)
        label.text = note.words
        gtk_widget_set_tooltip_text(widget, note.moment)
        widget.set(style: "missed", note.kind == .missed)
        text.isVisible = note.text != nil
        text.setAccessible(description: note.accessibleName)
        callBack.isVisible = note.kind == .missed && note.callee != nil
        callBack.setAccessible(description: note.accessibleName)
    }
}
