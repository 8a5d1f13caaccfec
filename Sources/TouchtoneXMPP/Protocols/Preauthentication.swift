// SPDX-License-Identifier: GPL-3.0-or-later

/// The token of an invitation: for a new account (XEP-0445), or for a subscription (XEP-0379).
enum Preauthentication {
    static let namespace = "urn:xmpp:pars:0"

    static func element(_ token: String) -> XMLElement {
        XMLElement("preauth", namespace, ["token": token])
    }
}
