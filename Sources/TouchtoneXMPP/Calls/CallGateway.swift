// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The gateway that carries calls to telephone numbers, if the account has one.
@MainActor
final class CallGateway {
    /// The device as which gateways take calls.
    private static let device = "sip"

    private let account: AccountContext
    private let search: GatewayModule
    private(set) var gateway: JID? { didSet { if gateway != oldValue { onChange?() } } }
    var onChange: (@MainActor () -> Void)?
    private var isAsking = false

    init(of account: AccountContext, _ search: GatewayModule) {
        (self.account, self.search) = (account, search)
    }

    func forget() { gateway = nil }

    /// Asks the account's gateway whether it takes calls, unless that is known.
    func find() {
        guard gateway == nil, !isAsking else { return }
        isAsking = true
        let stream = account.stream
        stream.run { [weak self, account] in
            let found = await self?.search.findGateway()?.jid
            var carries = false
            if let found, !stream.isOver {
                for jid in [found, found.with(resource: Self.device)].compactMap({ $0 }) where !carries {
                    let info = try? await account.discovery.info(of: jid)
                    carries = info.map { Self.carriesCalls($0) } ?? false
                }
            }
            guard let self else { return }
            isAsking = false
            if carries, !stream.isOver { gateway = found }
        }
    }

    private static func carriesCalls(_ info: DiscoInfo) -> Bool {
        info.features.isSuperset(of: [
            Jingle.namespace, CallMessage.namespace, AudioContent.namespace, AudioContent.audio,
            AudioContent.ice, AudioContent.dtls,
        ])
    }

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
