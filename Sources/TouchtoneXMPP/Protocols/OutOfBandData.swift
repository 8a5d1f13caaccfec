// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// The URL of a file that a message shares (XEP-0066 section 3).
struct OutOfBandData: Hashable, Sendable {
    static let namespace = "jabber:x:oob"

    let url: String

    /// Creates the data of a message to send; returns nil if the URL is invalid, is too long, or does not use HTTPS.
    init?(url: String) {
        guard WebAddress(url) != nil else { return nil }
        self.url = url
    }

    init?(in message: Message) {
        guard let url = message.extension(Self.namespace, "x")?.child("url")?.text else { return nil }
        self.init(url: url)
    }

    /// The element to send; the body of the message is the URL as well.
    var element: XMLElement {
        XMLElement("x", Self.namespace, [:], [XMLElement("url", Self.namespace, text: url)])
    }
}
