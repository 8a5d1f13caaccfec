// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The details of a message besides its text, as names and values to show.
@MainActor
struct MessageDetails {
    struct Entry: Hashable {
        let name, value: String
    }

    let entries: [Entry]

    /// - Parameter account: The name of the account; empty if there is only one.
    init(_ message: ChatMessage, buddyName: String, account: String) {
        let stamps = LocaleStamps()
        var entries = [
            Entry(name: localized("From"), value: Self.sender(of: message, buddyName)),
            Entry(name: localized("Time"), value: stamps.dateAndTime(message.time)),
        ]
        if !account.isEmpty { entries.append(Entry(name: localized("Account"), value: account)) }
        if message.sender == .me {
            entries.append(Entry(name: localized("State"), value: Self.state(of: message)))
        }
        entries.append(
            Entry(name: localized("End-to-End Encryption"), value: Self.encryption(of: message)))
        if message.isCorrected {
            entries.append(
                Entry(
                    name: localizedIn("message", "Edited"),
                    value: localized("This is the latest version. Earlier ones are not kept.")))
        }
        if let retraction = message.retraction {
            entries.append(
                Entry(
                    name: localizedIn("message", "Deleted"), value: stamps.dateAndTime(retraction.time)))
        }
        self.entries = entries
    }

    private static func sender(of message: ChatMessage, _ buddyName: String) -> String {
        let name = message.sender.name(buddyName: buddyName)
        let address: ChatAddress? =
            switch message.sender {
            case .me: message.conversation.account
            case .buddy: message.buddy == .operatorAddress ? nil : message.buddy
            case .occupant(let occupant): occupant.address
            }
        guard let address, address.text != name else { return name }
        return localized(
            "{name} ({address})", ["name": name, "address": PlainText.line(address.text, maximum: 200)])
    }

    private static func state(of message: ChatMessage) -> String {
        let state = message.shownState
        guard case .failed(let reason) = state, !reason.isEmpty else { return state.word }
        return localized(
            "{state}: {reason}", ["state": state.word, "reason": PlainText.line(reason, maximum: 300)])
    }

    private static func encryption(of message: ChatMessage) -> String {
        switch message.content.protection {
        case .none: return foreignEncryption(of: message.content)
        case .exposed:
            return localized("None, although the conversation was encrypted when this message came.")
        case .unreadable(let reason): return reason.sentence
        case .encrypted(let trust):
            let readable = localized(
                "The addresses, the time, reactions and deletions stay readable for the servers.")
            return [trust.sentence(isMine: message.sender == .me), readable].joined(separator: "\n")
        }
    }

    private static func foreignEncryption(of content: MessageContent) -> String {
        guard let name = content.encryption else { return localizedIn("encryption", "None") }
        return name.isEmpty ? localized("Encrypted") : name
    }
}

/// A popover with the details of a message, whose values can be selected and copied.
@MainActor
final class DetailsPopover {
    private let popover: TransientPopover
    private var first: Widget?

    private init(_ details: MessageDetails, at widget: Widget) {
        popover = TransientPopover(at: widget)
        let column = popover.makeColumn(localized("Message Details"), spacing: 4)
        for entry in details.entries {
            column.add(Widget.wrappedLabel(entry.name, style: "ask-name"))
            let value = Widget.wrappedLabel(entry.value)
            gtk_label_set_selectable(value.cast(), 1)
            value.setAccessible(description: entry.name)
            column.add(value)
            if first == nil { first = value }
        }
        gtk_widget_show_all(column)
    }

    static func show(_ details: MessageDetails, at widget: Widget, place: GdkRectangle?) {
        let shown = DetailsPopover(details, at: widget)
        shown.popover.open(with: shown, place: place)
        if let first = shown.first { gtk_widget_grab_focus(first) }
    }
}
