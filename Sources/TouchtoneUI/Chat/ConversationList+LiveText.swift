// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// What the buddy is typing, as a row after the messages.
extension ConversationList {
    /// The text that the buddy is typing, or the end of a long one; nil if it is not shown.
    var liveText: String? {
        guard let conversation, !conversation.hasNewer, !conversation.liveText.text.isEmpty else {
            return nil
        }
        let text = conversation.liveText.text
        return LongText.isLong(text) ? "…" + LongText.parts(of: text).suffix(1).joined() : text
    }

    var isLive: Bool { list.ids.last == Self.live }

    /// Shows a change of what the buddy is typing.
    func updateLive() {
        if isLive != (liveText != nil) { arrange() } else { list.update(Self.live) }
    }
}
