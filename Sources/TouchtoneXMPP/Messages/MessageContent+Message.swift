// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension MessageContent {
    /// Reads the content of a message; returns nil if it has nothing to show.
    ///
    /// A file is shared by its address, which is also the body for clients that do not know files (XEP-0066 section 3).
    /// A body with other words is a text of its own. An encrypted message is shown also without a body, because nobody
    /// should miss that it came.
    init?(_ message: Message) {
        let file = OutOfBandData(in: message).flatMap { SharedFile(received: $0.url) }
        let body = message.body ?? ""
        let text = body.isEmpty || body == file?.url ? file?.name ?? body : body
        let encryption = ExplicitEncryption.name(in: message)
        if text.isEmpty, encryption == nil { return nil }
        self.init(
            text, files: file.map { [$0] } ?? [],
            // The ranges are those of the body.
            fallbacks: text == body ? FallbackIndication.ranges(in: message) : [], encryption: encryption)
    }
}
