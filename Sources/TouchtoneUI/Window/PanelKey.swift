// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The MSGS key, which opens the panel and is lit while there are unread messages or new missed calls.
@MainActor
final class PanelKey {
    private let key: Widget
    private let phone: Phone
    private let buddies: BuddyList
    private let history: CallHistory
    private let panel: PanelController
    private let cover: LockCover

    init(
        _ key: Widget, _ dependencies: PhoneApplication.Dependencies, panel: PanelController, cover: LockCover
    ) {
        (self.key, self.panel, self.cover) = (key, panel, cover)
        (phone, buddies, history) = (
            dependencies.phone, dependencies.messages.chat.buddies, dependencies.directory.history
        )
        Signal.connect(key, "toggled") { [weak self] in
            guard let self, isActive != self.panel.folding.isOpen else { return }
            self.panel.folding.toggle()
        }
        buddies.observe(by: self) { [weak self] _ in self?.showWaiting() }
        history.observe(by: self) { [weak self] in if $0 == .missed { self?.showWaiting() } }
    }

    private var isActive: Bool { gtk_toggle_button_get_active(key.cast()) != 0 }

    /// Shows on the key whether the panel is open.
    func showOpen() { gtk_toggle_button_set_active(key.cast(), panel.folding.isOpen ? 1 : 0) }

    /// Shows the numbers of unread messages and missed calls on the MSGS key and the keys of the pages.
    func showWaiting() {
        let (unread, missed) = (buddies.unread, history.missed)
        let unreadText = localizedPlural("{count} unread", "{count} unread", unread)
        let waiting = [
            unread > 0 ? unreadText : "",
            missed > 0 ? localizedPlural("{count} missed call", "{count} missed calls", missed) : "",
        ].filter { !$0.isEmpty }
        phone.missedCalls = missed
        // While the phone is locked, assistive tools must not be able to read the numbers.
        guard !cover.isOn else { return }
        key.set(style: "unread", !waiting.isEmpty)
        key.setAccessible(description: localizedList(waiting))
        panel.side.show(waiting: unread, description: unreadText, on: .messages)
        panel.side.show(
            waiting: missed, description: localizedPlural("{count} missed", "{count} missed", missed),
            on: .calls)
    }
}
