// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The token of an invitation: for a new account (XEP-0445), or for a subscription (XEP-0379).
enum Preauthentication {
    static let namespace = "urn:xmpp:pars:0"

    static func element(_ token: String) -> XMLElement {
        XMLElement("preauth", namespace, ["token": token])
    }

    /// Returns the token in a request; nil if it has none.
    static func token(in extensions: [XMLElement]) -> String? {
        let token = extensions.first { $0.isNamed("preauth", namespace) }?["token"] ?? ""
        return token.isEmpty || token.utf8.count > XMPPURI.maximumTokenLength ? nil : token
    }
}
