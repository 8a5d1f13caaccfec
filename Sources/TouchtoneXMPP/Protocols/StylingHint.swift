// SPDX-License-Identifier: GPL-3.0-or-later

/// The hint that a message’s text has no styles (XEP-0393 section 6).
enum StylingHint {
    static let namespace = "urn:xmpp:styling:0"

    static func isUnstyled(_ message: Message) -> Bool {
        message.extension(namespace, "unstyled") != nil
    }
}
