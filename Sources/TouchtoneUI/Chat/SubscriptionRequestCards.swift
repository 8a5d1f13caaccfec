// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The pending subscription requests, each with Accept, Decline and Block, and the invitations to rooms, each with Join
/// and Decline.
///
/// Only the first few are shown, so that a flood of requests does not fill the panel.
@MainActor
final class SubscriptionRequestCards {
    enum Answer {
        case accept, decline, block
    }
    typealias Request = AllBuddies.Received<BuddyList.Request>
    typealias Invitation = AllBuddies.Received<RoomInvitation>

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, style: "requests")
    var onAnswer: (@MainActor (Request, Answer) -> Void)?
    /// Called when the user accepts (true) or declines an invitation.
    var onInvitation: (@MainActor (Invitation, Bool) -> Void)?
    /// Called when the button with the focus is removed, so that the focus must move elsewhere.
    var onLeave: (@MainActor () -> Void)?
    private var shown: [ConversationID] = []
    private var shownInvitations: [RoomInvitation] = []
    private static let maximum = 3

    init() {
        gtk_widget_set_no_show_all(widget, 1)
    }

    func show(_ requests: [Request], invitations: [Invitation]) {
        let first = requests.prefix(Self.maximum).map(\.id)
        let invited = Array(invitations.prefix(Self.maximum - first.count))
        let more = requests.count + invitations.count - first.count - invited.count
        let hadFocus = widget.holdsFocus
        defer { if hadFocus, widget.mayTakeFocus { onLeave?() } }
        widget.isVisible = !requests.isEmpty || !invitations.isEmpty
        guard first != shown || invited.map(\.item) != shownInvitations || more > 0 else { return }
        announce(
            requests.filter { first.contains($0.id) && !shown.contains($0.id) }.map(\.sentence)
                + invited.filter { !shownInvitations.contains($0.item) }.map(\.sentence))
        (shown, shownInvitations) = (first, invited.map(\.item))
        gtk_container_foreach(widget.cast(), { child, _ in gtk_widget_destroy(child) }, nil)
        for request in requests.prefix(Self.maximum) { widget.add(card(for: request)) }
        for invitation in invited { widget.add(card(for: invitation)) }
        if more > 0 {
            let label = Widget.label(
                localizedPlural("and {count} more", "and {count} more", more), style: "buddy-words")
            gtk_widget_show(label)
            widget.add(label)
        }
    }

    /// Shows the reason that a request could not be answered.
    func show(problem: String) {
        let label = Widget.wrappedLabel(problem, style: "problem")
        gtk_widget_show(label)
        widget.add(label)
        // Rebuild the cards with the next change, which removes the message.
        (shown, shownInvitations) = ([], [])
        announce([problem])
    }

    /// Lets a screen reader speak texts that have appeared in view.
    private func announce(_ texts: [String]) {
        guard gtk_widget_get_mapped(widget) != 0 else { return }
        for text in texts { widget.announce(text) }
    }

    private func card(_ title: String, text: String) -> Widget {
        let card = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, style: "request")
        let words = PlainText.line(text, maximum: 300)
        // The leaflet folds if its children request more width than is available, and a stranger chooses these texts.
        card.add(.wrappedLabel(title))
        if !words.isEmpty {
            card.add(.wrappedLabel(localized("“{text}”", ["text": words]), style: "buddy-words"))
        }
        return card
    }

    private func card(for invitation: Invitation) -> Widget {
        let room = PlainText.line(invitation.item.room.text, maximum: 80)
        let card = card(invitation.sentence, text: invitation.item.reason)
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
        let join = Widget.button(localizedIn("button", "Join"), style: "panel-key", "accept")
        let decline = Widget.button(localizedIn("button", "Decline"), style: "panel-key", "plain")
        join.setAccessible(description: localized("Join {room}", ["room": room]))
        decline.setAccessible(description: localized("Decline the invitation to {room}", ["room": room]))
        Signal.connect(join, "clicked") { [weak self] in self?.onInvitation?(invitation, true) }
        Signal.connect(decline, "clicked") { [weak self] in self?.onInvitation?(invitation, false) }
        for key in [join, decline] { keys.add(key) }
        card.add(keys)
        gtk_widget_show_all(card)
        return card
    }

    private func card(for request: Request) -> Widget {
        let who = PlainText.line(request.item.id.text, maximum: 80)
        let card = card(request.sentence, text: request.item.text)
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
        for answer in [Answer.accept, .decline, .block] {
            let (label, description) = answer.texts(address: who)
            let key = Widget.button(label, style: "panel-key", answer == .accept ? "accept" : "plain")
            key.setAccessible(description: description)
            Signal.connect(key, "clicked") { [weak self] in self?.onAnswer?(request, answer) }
            keys.add(key)
        }
        card.add(keys)
        gtk_widget_show_all(card)
        return card
    }
}

extension SubscriptionRequestCards.Answer {
    /// Returns the label of the button for the answer to an address, and its accessible description.
    fileprivate func texts(address: String) -> (label: String, description: String) {
        let who: KeyValuePairs = ["address": address]
        return switch self {
        case .accept: (localizedIn("button", "Accept"), localized("Accept {address}", who))
        case .decline: (localizedIn("button", "Decline"), localized("Decline {address}", who))
        case .block: (localizedIn("button", "Block"), localized("Block {address}", who))
        }
    }
}
