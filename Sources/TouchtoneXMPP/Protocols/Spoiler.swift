// SPDX-License-Identifier: GPL-3.0-or-later

/// The mark of a text that is hidden behind a hint (XEP-0382).
enum Spoiler {
    static let namespace = "urn:xmpp:spoiler:0"

    /// Returns the hint, in the user’s language if there are several, which may be empty; nil if the text is not hidden.
    static func hint(in message: Message) -> String? {
        Message.text(of: message.extensions.filter { $0.isNamed("spoiler", namespace) })
    }

    static func element(_ hint: String) -> XMLElement { XMLElement("spoiler", namespace, text: hint) }
}
