// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The effects of calls on the desktop: notifications, the window's urgency hint, and no idle lock during a call.
///
/// It neither takes the focus nor raises the window, unless the user clicks a notification. A closed window opens for a
/// conversation, because a microphone must not be open unseen.
@MainActor
final class CallAlertController {
    private let notices: CallNotifications
    private let messages: RecordingNotifications?
    private let phone: Phone
    private weak var window: PhoneWindow?

    init(
        phone: Phone, lock: Lock, window: PhoneWindow, triggers: LockTriggers,
        notifier: any Notifier = DesktopNotifications.make(), machine: AnsweringMachine? = nil
    ) {
        (self.phone, self.window) = (phone, window)
        notices = CallNotifications(
            calls: phone.calls, lock: lock, strings: window.callStrings, notifier: notifier)
        messages = machine.map {
            RecordingNotifications(
                machine: $0, lock: lock, strings: window.callStrings, notifier: DesktopNotifications.make())
        }
        let pictures = window.callerPictures
        notices.picture = { remote in
            guard let source = pictures.source(of: remote) else { return nil }
            return await pictures.file(source)
        }
        notices.onOpen = { [weak window] in window?.present(token: $0) }
        notices.onAnswer = { [weak self] in self?.open(token: $0) }
        notices.onCallBack = { [weak self] in self?.callBack($0, token: $1) }
        messages?.onOpen = { [weak window] in
            window?.present(token: $0)
            window?.panel.open(page: .calls)
        }
        messages?.onPlay = { [weak window] id, token in
            window?.present(token: token)
            window?.panel.play(id)
        }
        messages?.onCallBack = { [weak self] in self?.callBack($0, token: $1) }
        messages?.onArrival = { [weak self] in self?.notices.recordMessage(from: $0) }
        phone.calls.observe(by: self) { [weak self, weak triggers] change in
            guard change == .calls, let self else { return }
            triggers?.setInCall(phone.calls.hasLiveCall)
            showConversation()
            showUrgency()
        }
        Signal.connectNotify(window.window, "notify::is-active") { [weak self] in
            self?.showUrgency()
            self?.recordUse()
        }
        InputWatch.follow(self) { [weak self] in self?.recordUse() }
    }

    private func callBack(_ caller: RemoteParty, token: String?) {
        window?.present(token: token)
        if !caller.number.isDialable, let address = CallAddress(caller.address) {
            phone.enter(address)
        } else {
            phone.paste(caller.number.text)
        }
    }

    private func recordUse() {
        if isActive { notices.recordSeen() }
    }

    func setQuiet(_ isQuiet: Bool) {
        notices.isQuiet = isQuiet
        messages?.isQuiet = isQuiet
    }

    func leave() {
        notices.withdrawAll()
        messages?.withdrawAll()
    }

    private var isActive: Bool { window.map { gtk_window_is_active($0.window) != 0 } ?? false }

    /// Opens a closed window for a conversation that another program began, through D-Bus.
    private func showConversation() {
        if phone.calls.hasConversation { open(token: nil) }
    }

    /// Opens the window if it is closed; an open one stays where it is.
    private func open(token: String?) {
        guard let window, gtk_widget_get_visible(window.window.cast()) == 0 else { return }
        window.present(token: token)
    }

    private func showUrgency() {
        guard let window else { return }
        let isUrgent = phone.calls.incoming.map(phone.calls.isHeard) == true && !isActive
        UrgencyHint.set(isUrgent, of: window.window)
    }
}
