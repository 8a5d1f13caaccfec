// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that says how a conversation is encrypted, with the switch for it and the way to the keys.
@MainActor
final class EncryptionPopover {
    private let id: ConversationID
    private let messenger: Messenger
    private let parent: Widget
    private let onDevices: @MainActor () -> Void
    private let popover: TransientPopover
    private let mark = EncryptionMark(side: 24)
    private let words = Widget.wrappedLabel()
    private let toggle: Widget = gtk_switch_new()
    private let devices = Widget.wrappedButton(localized("Devices and Keys…"))
    private var isShowing = false

    private init(
        _ id: ConversationID, _ messenger: Messenger, at widget: Widget,
        onDevices: @escaping @MainActor () -> Void
    ) {
        (self.id, self.messenger, parent) = (id, messenger, widget)
        self.onDevices = onDevices
        popover = TransientPopover(at: widget)
        let column = popover.makeColumn(localized("Encryption"), spacing: 12)
        let state = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
        gtk_widget_set_valign(mark.widget, GTK_ALIGN_START)
        state.add(mark.widget)
        state.add(words, grows: true)
        let choice = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
        let name = Widget.wrappedLabel(localized("Encrypt this conversation"))
        choice.add(name, grows: true)
        gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER)
        choice.add(toggle)
        cgtk_widget_set_accessible(toggle, name.text, nil)
        for part in [state, choice, devices] { column.add(part) }
        gtk_widget_show_all(column)
        Signal.connectNotify(toggle, "notify::active") { [weak self] in self?.toggled() }
        Signal.connect(devices, "clicked") { [weak self] in self?.onDevices() }
        messenger.selected?.observe(by: self) { [weak self] in if $0 == .encryption { self?.show() } }
        show()
    }

    /// Opens the popover.
    ///
    /// - Parameter onDevices: Opens the devices.
    static func show(
        _ id: ConversationID, _ messenger: Messenger, at widget: Widget,
        onDevices: @escaping @MainActor () -> Void
    ) {
        let shown = EncryptionPopover(id, messenger, at: widget, onDevices: onDevices)
        shown.popover.open(with: shown)
        let canChange = gtk_widget_get_sensitive(shown.toggle) != 0
        gtk_widget_grab_focus(canChange ? shown.toggle : shown.devices)
    }

    private func show() {
        guard let state = EncryptionWords(id, in: messenger) else { return }
        mark.look = state.look
        words.text = state.sentence
        isShowing = true
        gtk_switch_set_active(toggle.cast(), state.isOn ? 1 : 0)
        isShowing = false
        gtk_widget_set_sensitive(toggle, state.canChange ? 1 : 0)
        devices.isVisible = state.hasDevices
        toggle.setAccessible(description: state.sentence)
    }

    private func toggled() {
        guard !isShowing, let chat = messenger.chat(of: id) else { return }
        if gtk_switch_get_active(toggle.cast()) != 0 {
            chat.setEncrypted(true, id.buddy)
        } else {
            Self.turnOff(id, messenger, at: parent)
        }
        show()
        if popover.isOpen { words.announce(words.text) }
    }

    /// Switches the encryption off, after a confirmation if messages may wait that would go in the clear.
    static func turnOff(_ id: ConversationID, _ messenger: Messenger, at widget: Widget) {
        guard let chat = messenger.chat(of: id) else { return }
        guard messenger.mayHaveWaiting(id) else { return chat.setEncrypted(false, id.buddy) }
        PromptPopover.ask(
            localized("Turn Encryption Off?"),
            text: localized("The messages that wait are then sent unencrypted."),
            verb: localized("Turn Off"), isDestructive: true, at: widget
        ) { (_) throws(ChatServiceError) in chat.setEncrypted(false, id.buddy) }
    }
}

extension Messenger {
    /// Returns whether messages of a conversation may wait to be sent.
    fileprivate func mayHaveWaiting(_ id: ConversationID) -> Bool {
        guard let conversation = selected, conversation.id == id, !conversation.hasNewer else { return true }
        return chat(of: id)?.encryption(of: id.buddy).obstacle != nil
            || conversation.window.contains {
                $0.sender == .me && ($0.state == .waiting || $0.correction != nil)
            }
    }
}
