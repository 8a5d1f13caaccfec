// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The bar above the message field while messages wait because they cannot be encrypted: the reason, and the choices.
@MainActor
final class ObstacleBar {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "banner", "failure")
    /// Called when the user wants to decide on devices.
    var onDecide: (@MainActor () -> Void)?
    private let messenger: Messenger
    private let reason = Widget.wrappedLabel()
    private let decide = ObstacleBar.key(localized("Decide…"))
    private let askAgain = ObstacleBar.key(localized("Ask Again"))
    private let leaveOut = ObstacleBar.key(localized("Send to Trusted Devices Only"))
    private let turnOff = ObstacleBar.key(localized("Turn Encryption Off…"))
    private var shown: (id: ConversationID, obstacle: EncryptionObstacle)?

    init(_ messenger: Messenger) {
        self.messenger = messenger
        widget.add(reason)
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        for key in [decide, askAgain, turnOff] { keys.add(key) }
        keys.stackWithLargeText()
        widget.add(keys)
        widget.add(leaveOut)
        for part in [reason, keys, leaveOut] { gtk_widget_show_all(part) }
        gtk_widget_set_no_show_all(widget, 1)
        Signal.connect(decide, "clicked") { [weak self] in self?.onDecide?() }
        Signal.connect(askAgain, "clicked") { [weak self] in
            self?.act { $0.messenger.chat(of: $1)?.retryEncryption($1.buddy) }
        }
        Signal.connect(leaveOut, "clicked") { [weak self] in
            self?.act { $0.messenger.chat(of: $1)?.leaveOutDevices($1.buddy) }
        }
        Signal.connect(turnOff, "clicked") { [weak self] in
            self?.act { EncryptionPopover.turnOff($1, $0.messenger, at: $0.turnOff) }
        }
    }

    private func act(_ body: (ObstacleBar, ConversationID) -> Void) {
        if let id = shown?.id { body(self, id) }
    }

    /// Shows what is in the way of the messages of a conversation, or nothing.
    func show(_ id: ConversationID?) {
        guard let id, let chat = messenger.chat(of: id), chat.isEncrypted(id.buddy),
            let obstacle = chat.encryption(of: id.buddy).obstacle
        else { return hide() }
        guard shown?.id != id || shown?.obstacle != obstacle || !widget.isVisible else { return }
        shown = (id, obstacle)
        reason.text = obstacle.text { account in
            account == chat.account
                ? localized("your account") : PlainText.line(chat.buddies.name(of: account), maximum: 60)
        }
        let isRoom = messenger.buddies.row(of: id)?.room != nil
        decide.isVisible = obstacle.asksForDecision
        askAgain.isVisible = !obstacle.asksForDecision
        leaveOut.isVisible = obstacle.canLeaveOut(isRoom: isRoom)
        widget.isVisible = true
        if gtk_widget_get_mapped(widget) != 0 { widget.announce(reason.text) }
    }

    /// Creates a key as wide as its text, which wraps only where there is no room.
    private static func key(_ text: String) -> Widget {
        let key = Widget.wrappedButton(text, style: "panel-key", "plain")
        gtk_widget_set_halign(key, GTK_ALIGN_START)
        if let label = gtk_bin_get_child(key.cast()) { gtk_label_set_max_width_chars(label.cast(), 32) }
        return key
    }

    private func hide() {
        shown = nil
        // The keyboard must not lose its place with the key.
        if widget.holdsFocus, let window = gtk_widget_get_toplevel(widget) {
            gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD)
        }
        widget.isVisible = false
        // Assistive tools may hold the label.
        reason.text = ""
    }
}
