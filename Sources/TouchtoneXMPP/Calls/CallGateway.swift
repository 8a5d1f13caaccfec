// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The addresses of telephone numbers at the gateway that carries calls to them, if the account has one.
@MainActor
struct CallGateway {
    private let search: GatewayModule
    var gateway: JID? { search.telephone }

    init(_ search: GatewayModule) { self.search = search }

    /// Returns the address of a number, which the line's rules have written with `+`.
    func jid(of number: DialledNumber) -> JID? {
        guard let gateway, number.isInternational else { return nil }
        let digits = number.text.prefix { $0 != "," && $0 != ";" }
        guard digits.count > 1, digits.dropFirst().allSatisfy(\.isASCII) else { return nil }
        return JID(local: String(digits), domain: gateway.domain)
    }

    /// Whether an address is one that the gateway has assigned.
    func isOfGateway(_ jid: JID) -> Bool {
        gateway.map { $0.domain == jid.domain && !jid.local.isEmpty } ?? false
    }

    /// Returns the number of an address; nil if it is not the gateway's.
    func number(of jid: JID) -> DialledNumber? {
        guard isOfGateway(jid), let number = DialledNumber(jid.local), number.isInternational, number.isPlain,
            number.isDialable
        else { return nil }
        return number
    }
}
