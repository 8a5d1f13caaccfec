// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

extension RemoteParty {
    /// Creates a party from the engine's description, whose texts strangers choose.
    init(_ party: SIPParty) {
        let uri = try? SIPURI(party.address)
        let number = uri?.number ?? TelURI(subscriber: party.address)?.number ?? DialledNumber()
        guard uri?.isAnonymous != true, uri != nil || !number.isEmpty else {
            self.init(DialledNumber())
            return
        }
        var name = party.displayName
        // Many exchanges repeat the number as the name.
        if !number.isEmpty, DialledNumber.read(name) == .number(number) { name = "" }
        self.init(number, address: uri?.text ?? "", displayName: name)
    }
}

extension SIPURI {
    /// Whether the caller withholds the address (RFC 3323, section 4.1.1.3), with the exchange's domain or
    /// `anonymous.invalid`, or the network does not know it (3GPP TS 24.229, section 5.4.3.2).
    fileprivate var isAnonymous: Bool {
        user.lowercased() == "anonymous"
            || ["anonymous.invalid", "unknown.invalid"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
