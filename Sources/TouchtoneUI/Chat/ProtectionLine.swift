// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The line below a message whose protection is not what the conversation lets expect.
@MainActor
final class ProtectionLine: RareView {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4, style: "protection")
    private let mark = EncryptionMark(side: 12)
    private let words = Widget.label(style: "reason")

    init() {
        words.wrapText(width: 40)
        widget.add(mark.widget)
        widget.add(words)
        for part in [mark.widget, words] { gtk_widget_show(part) }
    }

    func show(_ text: String, isEncrypted: Bool, isLeft: Bool) {
        mark.look = isEncrypted ? .closed : .open
        words.text = text
        let isRightToLeft = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
        gtk_widget_set_halign(widget, isLeft != isRightToLeft ? GTK_ALIGN_START : GTK_ALIGN_END)
    }
}

extension ChatMessage {
    /// The warning about the protection of the message; nil for none.
    var protectionWarning: String? {
        guard retraction == nil else { return nil }
        switch (content.protection, sender) {
        case (.exposed, _): return localized("Not encrypted")
        // What the user sends is encrypted for trusted devices alone.
        case (.encrypted, .me), (.none, _), (.unreadable, _): return nil
        case (.encrypted(.undecided), _): return localized("From a device that you have not decided on")
        case (.encrypted(.distrusted), _), (.encrypted(.setAside), _):
            return localized("From a device that you distrust")
        case (.encrypted(.blind), _), (.encrypted(.verified), _): return nil
        }
    }
}

extension KeyTrust {
    /// Returns how a message was encrypted, as a sentence of the details.
    func sentence(isMine: Bool) -> String {
        guard !isMine else { return localized("Encrypted.") }
        return switch self {
        case .verified: localized("Encrypted, with a key that you have compared.")
        case .blind: localized("Encrypted, with a key that you have not compared.")
        case .undecided: localized("Encrypted, with a key that you have not decided on.")
        case .distrusted, .setAside: localized("Encrypted, with a key that you distrust.")
        }
    }
}
