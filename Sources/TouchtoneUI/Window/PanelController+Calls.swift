// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Calls to contacts who can be called in several ways.
extension PanelController {
    func call(_ callee: Callee, of contact: Contact.ID?, at place: Widget) {
        let directory = dependencies.directory
        guard let card = contact.flatMap({ directory.contacts.contact($0)?.card }) else {
            return call(callee)
        }
        let ways = CallWays(of: card, on: phone)
        guard ways.all.contains(where: { !$0.callee.isSame(as: callee) }) else { return call(callee) }
        let (kept, trigger) = (GObjectRef(retaining: place), MenuTrigger(at: place))
        Task { [weak self] in
            let last = await directory.history.lastCall(with: card)
            let place: Widget = kept.cast()
            guard let self, !isCovered, gtk_widget_get_mapped(place) != 0 else { return }
            let items = ways.beginning(with: last).map { way in way.item { [weak self] in self?.call($0) } }
            ContextMenu(items: items).open(at: place, event: nil, trigger: trigger.event)
        }
    }
}
