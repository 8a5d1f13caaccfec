// SPDX-License-Identifier: GPL-3.0-or-later

/// A forwarded message (XEP-0297).
struct Forwarded {
    static let namespace = "urn:xmpp:forward:0"

    let message: Message
    let stamp: Timestamp?

    /// Reads the `forwarded` child of an element; returns nil unless it contains exactly one message.
    init?(in element: XMLElement) {
        guard let forwarded = element.child("forwarded", Self.namespace) else { return nil }
        let stanzas = forwarded.children.filter { $0.namespace == Namespace.client }
        guard stanzas.count == 1, let message = Message(stanzas[0]) else { return nil }
        self.message = message
        stamp = Delay.stamp(in: forwarded.children)
    }
}
