// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The pending subscription requests, each with Accept, Decline and Block.
///
/// Only the first few are shown, so that a flood of requests does not fill the panel.
@MainActor
final class SubscriptionRequestCards {
    /// An answer to a request.
    enum Answer {
        case accept, decline, block
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, style: "requests")
    /// Called when the user answers a request.
    var onAnswer: (@MainActor (ChatAddress, Answer) -> Void)?
    private var shown: [ChatAddress] = []
    private static let maximum = 3

    init() {
        gtk_widget_set_no_show_all(widget, 1)
    }

    /// Shows the pending requests.
    func show(_ requests: [BuddyList.Request]) {
        let first = requests.prefix(Self.maximum).map(\.id)
        let more = requests.count - first.count
        widget.isVisible = !requests.isEmpty
        guard first != shown || more > 0 else { return }
        shown = first
        gtk_container_foreach(widget.cast(), { child, _ in gtk_widget_destroy(child) }, nil)
        for request in requests.prefix(Self.maximum) { widget.add(card(for: request)) }
        if more > 0 {
            let label = Widget.label(
                localizedPlural("and {count} more", "and {count} more", more), style: "buddy-words")
            gtk_widget_show(label)
            widget.add(label)
        }
    }

    /// Shows the reason that a request could not be answered.
    func show(problem: String) {
        let label = Widget.label(problem, style: "problem")
        gtk_label_set_line_wrap(label.cast(), 1)
        gtk_widget_show(label)
        widget.add(label)
        // Rebuild the cards with the next change, which removes the message.
        shown = []
    }

    private func card(for request: BuddyList.Request) -> Widget {
        let who = PlainText.line(request.id.text, maximum: 80)
        let card = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, style: "request")
        let title = Widget.label(localized("{address} wants to see when you are online", ["address": who]))
        gtk_label_set_line_wrap(title.cast(), 1)
        gtk_label_set_line_wrap_mode(title.cast(), PANGO_WRAP_WORD_CHAR)
        card.add(title)
        let words = PlainText.line(request.text, maximum: 300)
        if !words.isEmpty {
            let said = Widget.label(localized("“{text}”", ["text": words]), style: "buddy-words")
            gtk_label_set_line_wrap(said.cast(), 1)
            gtk_label_set_line_wrap_mode(said.cast(), PANGO_WRAP_WORD_CHAR)
            card.add(said)
        }
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
        for answer in [Answer.accept, .decline, .block] {
            let key = Widget.button(
                answer.label, style: "panel-key", answer == .accept ? "accept" : "plain")
            key.setAccessible(description: answer.description(of: who))
            let id = request.id
            Signal.connect(key, "clicked") { [weak self] in self?.onAnswer?(id, answer) }
            keys.add(key)
        }
        card.add(keys)
        gtk_widget_show_all(card)
        return card
    }
}

extension SubscriptionRequestCards.Answer {
    fileprivate var label: String {
        switch self {
        case .accept: localizedIn("button", "Accept")
        case .decline: localizedIn("button", "Decline")
        case .block: localizedIn("button", "Block")
        }
    }

    /// Returns the accessible description of the button that answers the request from `address`.
    fileprivate func description(of address: String) -> String {
        switch self {
        case .accept: localized("Accept {address}", ["address": address])
        case .decline: localized("Decline {address}", ["address": address])
        case .block: localized("Block {address}", ["address": address])
        }
    }
}
