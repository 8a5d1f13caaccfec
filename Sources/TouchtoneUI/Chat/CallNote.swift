// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The contents of the row of a call in a conversation.
struct CallNote: Hashable {
    let kind: PastCall.Kind
    /// The kind of the call, its duration or why it was not answered, and its time.
    let text: String
    let accessibleName: String
    /// The date and time, to the second.
    let moment: String
    /// The name of the day that begins with the call.
    let dayLine: String?
    /// The number or address to call back; nil if the far end has neither.
    let callee: Callee?

    /// - Parameters:
    ///   - account: The user’s account that calls the other side of the conversation.
    ///   - startsDay: Whether what is before the call is of another day.
    @MainActor
    init(_ call: PastCall, account: ChatAddress?, startsDay: Bool, now: ChatTime, stamps: LocaleStamps) {
        kind = call.kind
        let isToday = stamps.isSameDay(call.began, now)
        moment = stamps.dateAndTime(call.began)
        let words = [call.kind.sentence, call.outcome, isToday ? stamps.time(call.began) : moment]
        let parts = words.filter { !$0.isEmpty }
        text = parts.joined(separator: " · ")
        accessibleName = localizedList(parts)
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
        case .missed: localized("Missed call")
        case .declined: localizedIn("call in a conversation", "Declined call")
        case .blocked: localizedIn("call in a conversation", "Blocked call")
        }
    }
}

/// A call in the conversation: a small line, with a key to call back if it was missed.
@MainActor
final class CallNoteView: RareView {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "call-note")
    private let mark = CallDirectionIcon()
    private let label = Widget.label(isCut: true, style: "stamp")
    private let callBack = Widget.button(localized("Call Back"), style: "panel-key", "plain")

    init(onCallBack: @escaping @MainActor () -> Void) {
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        for part in [mark.widget, label, callBack] {
            gtk_widget_set_valign(part, GTK_ALIGN_CENTER)
            widget.add(part)
            gtk_widget_show(part)
        }
        Signal.connect(callBack, "clicked", onCallBack)
    }

    func show(_ note: CallNote) {
        mark.show(note.kind)
        label.text = note.text
        gtk_widget_set_tooltip_text(widget, note.moment)
        widget.set(style: "missed", note.kind == .missed)
        callBack.isVisible = note.kind == .missed && note.callee != nil
        callBack.setAccessible(description: note.accessibleName)
    }
}
