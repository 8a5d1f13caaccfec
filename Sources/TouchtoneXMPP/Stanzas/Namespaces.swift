// SPDX-License-Identifier: GPL-3.0-or-later

/// The namespaces of the stream itself; those of other protocols are with their types.
enum Namespace {
    static let client = "jabber:client"
    static let stream = "http://etherx.jabber.org/streams"
    static let streamErrors = "urn:ietf:params:xml:ns:xmpp-streams"
    static let stanzaErrors = "urn:ietf:params:xml:ns:xmpp-stanzas"
    static let tls = "urn:ietf:params:xml:ns:xmpp-tls"
    static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    static let bindings = "urn:xmpp:sasl-cb:0"
    static let bind = "urn:ietf:params:xml:ns:xmpp-bind"
    static let management = "urn:xmpp:sm:3"
    static let clientState = "urn:xmpp:csi:0"
}
