// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

// The far end that the server connects in place of another during a call, as it says in INVITE or UPDATE (RFC 3311).
extension Calls {
    /// Watches what messages within calls say of the far end from now on.
    func beginIdentityWatch() {
        sipshims_watch_identities(
            { context, identity in
                guard let context, let identity = identity?.pointee else { return }
                let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
                guard let callID = identity.call, let call = calls.call(withCallID: String(cString: callID))
                else { return }
                calls.follow(identity, in: call)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Reports another far end; a message that names nobody says nothing.
    ///
    /// Until the user's own call is answered, the far end is the party that the user called.
    private func follow(_ identity: sipshims_identity, in call: Call) {
        guard self[call.id] === call, let party = call.party(named: identity) else { return }
        let old = call.sessionFarEnd ?? (call.isIncoming ? call.farEnd : nil)
        call.sessionFarEnd = party
        guard let old, party != old else { return }
        send(.farEndChanged(party), of: call.id)
    }
}

extension Call {
    var isIncoming: Bool { linphone_call_get_dir(handle) == LinphoneCallIncoming }

    /// Notes the far end of the first session, in which the server may assert an identity.
    func noteFirstFarEnd() { sessionFarEnd = sessionFarEnd ?? assertedFarEnd ?? farEnd }

    /// The party that a message names; nil if it names nobody.
    fileprivate func party(named identity: sipshims_identity) -> SIPParty? {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        if identity.asserted != nil {
            return AssertedIdentities.party(in: text(identity.asserted), privacy: text(identity.privacy))
        }
        if identity.remote_party != nil {
            return AssertedIdentities.remoteParty(in: text(identity.remote_party), isCaller: isIncoming)
        }
        guard let from = AssertedIdentities.from(text(identity.from)) else { return nil }
        // Most far ends keep From for ever. Some leave out their name, and some servers change only the host.
        let last = lastFrom ?? addressedFarEnd
        guard from.user != last.user else { return nil }
        lastFrom = from
        return from
    }
}
