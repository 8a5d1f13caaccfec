// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that makes an invitation, and shows its link to be copied.
@MainActor
final class InvitationPopover {
    private let popover: TransientPopover
    private let status = Widget.wrappedLabel(localized("Making an invitation…"))
    private let link = Widget.wrappedLabel()
    private let validity = Widget.wrappedLabel()
    private let copy = Widget.button(localized("Copy Link"), style: "suggested-action")
    private var text = ""

    private init(account: String, at widget: Widget) {
        popover = TransientPopover(at: widget)
        let column = popover.makeColumn(localized("Invite a Person"))
        if !account.isEmpty { column.add(Widget.wrappedLabel(account)) }
        gtk_label_set_selectable(link.cast(), 1)
        // A link reads from the left in every language.
        gtk_widget_set_direction(link, GTK_TEXT_DIR_LTR)
        link.setAccessible(description: localized("Link"))
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL)
        gtk_box_pack_end(row.cast(), copy, 0, 0, 0)
        for part in [status, link, validity, row] { column.add(part) }
        gtk_widget_show_all(column)
        for part in [link, validity, copy] { part.isVisible = false }
        Signal.connect(copy, "clicked") { [weak self] in self?.copyLink() }
    }

    /// Opens the popover, and makes an invitation.
    ///
    /// - Parameter account: The account that invites; empty if there is only one.
    static func show(chat: Chat, account: String, at widget: Widget) {
        let shown = InvitationPopover(account: account, at: widget)
        shown.popover.open(with: shown)
        Task { await shown.load(from: chat) }
    }

    private func load(from chat: Chat) async {
        do throws(ChatServiceError) {
            let invitation = try await chat.invite()
            guard popover.isOpen else { return }
            show(invitation)
        } catch {
            guard popover.isOpen else { return }
            status.set(style: "problem", true)
            status.text = PlainText.line(error.text, maximum: 400)
            status.announce(status.text)
        }
    }

    private func show(_ invitation: MadeInvitation) {
        text = invitation.link
        status.text = Self.words(for: invitation.effect)
        // The label is as long as the link that is copied, which the service has bounded.
        link.text = text
        validity.text =
            invitation.expiry.map {
                localized("For one person, until {time}.", ["time": LocaleStamps().dateAndTime($0)])
            } ?? localized("For one person.")
        for part in [link, validity, copy] { part.isVisible = true }
        gtk_widget_grab_focus(copy)
        status.announce(status.text)
    }

    private func copyLink() {
        Clipboard.write(text)
        gtk_button_set_label(copy.cast(), localized("Copied"))
        copy.announce(localized("Copied"))
    }

    private static func words(for effect: MadeInvitation.Effect) -> String {
        switch effect {
        case .account:
            localized(
                "Send this link to somebody. It makes an account on your server and adds you both as buddies."
            )
        case .buddy:
            localized("Send this link to somebody with a Jabber account. It adds you both as buddies.")
        case .buddyWhileOnline:
            localized(
                "Your server makes no invitations, so Touchtone made one. Send this link to somebody with a Jabber account. Touchtone adds you both as buddies when it is online."
            )
        }
    }
}
