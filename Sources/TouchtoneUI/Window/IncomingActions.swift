// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions on a call that rings, beside answering and declining it.
@MainActor
final class IncomingActions {
    private let phone: Phone
    private let panel: PanelController
    private let display: Widget

    init(phone: Phone, panel: PanelController, display: Widget) {
        (self.phone, self.panel, self.display) = (phone, panel, display)
    }

    private var blocking: BlockActions { BlockActions(phone: phone, toast: panel.side.toast) }

    var canBlock: Bool { blocking.canBlockIncoming }

    /// Declines the call, and keeps its caller from calling again; the notice that can undo it comes into view.
    func block() {
        guard blocking.blockIncoming() else { return }
        // In a narrow window, the panel would hide the keys of another call.
        if !panel.folding.isOpen, !phone.calls.hasConversation { panel.open(page: .calls) }
    }

    /// The items of the menu of DECLINE.
    var items: [ContextMenu.Item] {
        [
            .init(localized("Send To…"), isEnabled: canSend) { [weak self] in self?.send() },
            .init(localized("Decline and Block"), isEnabled: canBlock) { [weak self] in self?.block() },
        ]
    }

    var canSend: Bool { phone.calls.canDivert }

    /// Asks where the call is to go, while it rings on.
    func send() {
        guard let call = phone.calls.incoming, canSend else { return }
        PromptPopover.ask(
            localized("Send the Call To"),
            fields: [.init(name: localized("Number or Address"))], verb: localizedIn("verb", "Send"),
            at: display
        ) { [weak self] texts throws(ChatServiceError) in
            guard let self else { return }
            guard phone.calls.incoming?.id == call.id else {
                throw .refused(localized("The call has ended."))
            }
            guard let target = RemoteParty(entered: (texts.first ?? "").trimmed) else {
                throw .refused(localized("Enter a number, or an address such as name@example.org"))
            }
            guard phone.calls.divert(to: target) else {
                throw .refused(localized("The call can’t go there."))
            }
        }
    }
}
