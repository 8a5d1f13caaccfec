// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The MSGS key, which opens the panel and is lit while there are unread messages, requests or new missed calls.
///
/// A long press opens the conversation with the number in the display.
@MainActor
final class PanelKey {
    private let key: Widget
    private let phone: Phone
    private let buddies: AllBuddies
    private let history: CallHistory
    private let recordings: Recordings?
    private let panel: PanelController
    private let cover: LockCover
    /// The receiver of whether there are unread messages or new missed calls.
    var onWaiting: (@MainActor (Bool) -> Void)?
    /// The value that it has received last.
    private(set) var isWaiting = false
    private var longPress: (any ScheduledTimer)?
    /// Whether the present press has opened a conversation, so that its end must not close the panel.
    private var isHeld = false
    /// Whether the window is gone: what was pending for the list of buddies is still reported.
    private var isDestroyed = false

    init(_ key: Widget, _ dependencies: PhoneDependencies, panel: PanelController, cover: LockCover) {
        (self.key, self.panel, self.cover) = (key, panel, cover)
        recordings = dependencies.directory.machine?.recordings
        (phone, buddies, history) = (
            dependencies.phone, dependencies.messages.messenger.buddies, dependencies.directory.history
        )
        Signal.connect(key, "toggled") { [weak self] in
            guard let self, isActive != self.panel.folding.isOpen else { return }
            if isHeld { showOpen() } else { self.panel.folding.toggle() }
        }
        Signal.connect(key, "destroy") { [weak self] in self?.isDestroyed = true }
        watchPresses()
        buddies.observe(by: self) { [weak self] _ in self?.showWaiting() }
        history.observe(by: self) { [weak self] in if $0 == .missed { self?.showWaiting() } }
        recordings?.observe(by: self) { [weak self] in if $0 == .all { self?.showWaiting() } }
    }

    private func watchPresses() {
        gtk_widget_add_events(key, gint(GDK_TOUCH_MASK.rawValue))
        Signal.connectEvent(key, "button-press-event") { [weak self] event in
            if event.pointee.button.button == GDK_BUTTON_PRIMARY, event.pointee.type == GDK_BUTTON_PRESS {
                self?.pressed()
            }
            return false
        }
        for end in ["button-release-event", "leave-notify-event", "grab-broken-event"] {
            Signal.connectEvent(key, end) { [weak self] _ in
                self?.endPress()
                return false
            }
        }
        Signal.connectEvent(key, "touch-event") { [weak self] event in
            switch event.pointee.touch.type {
            case GDK_TOUCH_BEGIN: self?.pressed()
            case GDK_TOUCH_UPDATE: break
            default: self?.endPress()
            }
            return false
        }
        Signal.connect(key, "unmap") { [weak self] in self?.endPress() }
    }

    private func pressed() {
        endPress()
        isHeld = false
        guard phone.number.isDialable else { return }
        longPress = MainLoopScheduler().schedule(after: KeyPressTracker.longPress) { [weak self] in
            self?.held()
        }
    }

    private func endPress() {
        longPress?.cancel()
        longPress = nil
    }

    private func held() {
        longPress = nil
        guard !cover.isOn, phone.number.isDialable else { return }
        isHeld = true
        panel.showConversation(with: phone.number)
    }

    private var isActive: Bool { gtk_toggle_button_get_active(key.cast()) != 0 }

    func showOpen() { gtk_toggle_button_set_active(key.cast(), panel.folding.isOpen ? 1 : 0) }

    /// Shows the numbers of unread messages and missed calls on the MSGS key and the keys of the pages.
    func showWaiting() {
        let (unread, missed, unheard) = (buddies.unread, history.missed, recordings?.unheard ?? 0)
        let asked = buddies.asked
        let talk = [
            unread > 0 ? localizedPlural("{count} unread", "{count} unread", unread) : "",
            asked > 0 ? localizedPlural("{count} request", "{count} requests", asked) : "",
        ].filter { !$0.isEmpty }
        let waiting = [
            localizedList(talk),
            missed > 0 ? localizedPlural("{count} missed call", "{count} missed calls", missed) : "",
            unheard > 0
                ? localizedPlural("{count} message not heard", "{count} messages not heard", unheard) : "",
        ].filter { !$0.isEmpty }
        phone.missedCalls = missed
        // While the phone is locked, assistive tools must not be able to read the numbers.
        guard !cover.isOn, !isDestroyed else { return }
        key.set(style: "unread", !waiting.isEmpty)
        isWaiting = !waiting.isEmpty
        onWaiting?(isWaiting)
        key.setAccessible(description: localizedList(waiting))
        panel.side.show(waiting: unread + asked, description: localizedList(talk), on: .messages)
        panel.side.show(
            waiting: missed, description: localizedPlural("{count} missed", "{count} missed", missed),
            on: .calls)
    }
}
