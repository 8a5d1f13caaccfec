// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

// Checks of the addresses to which far ends lead the phone, by a transfer or a redirection. liblinphone would call a
// `sips:` address over any transport, and follow redirections for ever.
extension Calls {
    /// Checks such addresses from now on, until `endTargetChecks()`.
    func beginTargetChecks() {
        sipshims_check_targets(
            { context, callID, target, redirects in
                guard let context, let callID, let target else { return 0 }
                let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
                return calls.refusal(of: target, for: String(cString: callID), redirects: redirects)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the checks.
    func endTargetChecks() { sipshims_check_targets(nil, nil) }

    /// Returns the status that refuses an address for the call with a Call-ID; 0 if the call may go there.
    ///
    /// Within a callback of liblinphone, nothing of its own may change here but what its next call uses.
    private func refusal(
        of target: UnsafePointer<CChar>, for callID: String, redirects: Bool
    ) -> CInt {
        guard let call = call(withCallID: callID) else { return 0 }
        guard let address = linphone_factory_create_address(linphone_factory_get(), target) else {
            return 400
        }
        defer { linphone_address_unref(address) }
        guard call.account.canReach(address) else {
            call.isLedToSecureAddress = !call.isAnswered
            return 416
        }
        let method = linphone_address_get_method_param(address).map { String(cString: $0) } ?? ""
        guard method.isEmpty || method == "INVITE" else { return 603 }
        if redirects {
            guard call.follow(SIPParty(address).address) else { return 482 }
            redirectedCall = call
        }
        accounts.take(call.account)
        return 0
    }
}

extension Call {
    /// The greatest number of redirections of a call.
    private static let maximumRedirections = 5

    /// Notes an address to which the call is redirected.
    ///
    /// Returns false if the call has been there (RFC 3261, section 8.1.3.4), or after too many redirections.
    fileprivate func follow(_ target: String) -> Bool {
        if redirections.isEmpty {
            redirections = [SIPParty(linphone_call_get_remote_address(handle)).address]
        }
        guard !redirections.contains(target), redirections.count <= Self.maximumRedirections else {
            return false
        }
        redirections.append(target)
        return true
    }
}
