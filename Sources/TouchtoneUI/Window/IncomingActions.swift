// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions on a call that rings, beside answering and declining it.
@MainActor
final class IncomingActions {
    private let phone: Phone
    private let panel: PanelController

    init(phone: Phone, panel: PanelController) { (self.phone, self.panel) = (phone, panel) }

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
        [.init(localized("Decline and Block"), isEnabled: canBlock) { [weak self] in self?.block() }]
    }
}
