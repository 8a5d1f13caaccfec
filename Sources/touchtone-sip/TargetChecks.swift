// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

// Checks of the addresses to which far ends lead the phone, by a transfer or a redirection. liblinphone would call a
// `sips:` address over any transport, and follow redirections for ever.
extension Calls {
    /// Checks such addresses from now on.
    func beginTargetChecks() {
        sipshims_check_targets(
            { context, callID, target, lead in
                guard let context, let callID, let target else { return 0 }
                let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
                return calls.refusal(of: target, for: String(cString: callID), lead)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns the status that refuses an address for the call with a Call-ID; 0 if the call may go there.
    ///
    /// Within a callback of liblinphone, nothing of its own may change here but what its next call uses.
    private func refusal(
        of target: UnsafePointer<CChar>, for callID: String, _ lead: sipshims_lead
    ) -> CInt {
        let call = call(withCallID: callID)
        if lead != sipshims_transfer {
            // liblinphone would also redirect a call that the user has hung up, which is still found while it ends.
            guard let call, self[call.id] === call, !call.isEndedByPhone else { return 487 }
            // A change of the session stays where the call is.
            guard !call.isAnswered else { return 488 }
            // Elsewhere, there is no call to take over: somebody would be called whom the user has not called.
            guard call.replaced == nil else { return 487 }
        }
        guard let call else { return 0 }
        // The user would not notice that the phone calls somebody else, which may cost money.
        if lead == sipshims_transfer, sounds.machines[call.id] != nil { return 603 }
        if lead == sipshims_alternative {
            call.alternatives.append(String(cString: target))
            return 0
        }
        guard let address = linphone_factory_create_address(linphone_factory_get(), target) else {
            return 400
        }
        defer { linphone_address_unref(address) }
        guard call.account.canReach(address) else {
            call.isLedToSecureAddress = !call.isAnswered
            return 416
        }
        guard isCalled(address) else { return 603 }
        if lead == sipshims_redirection {
            guard call.follow(SIPParty(address).address) else { return 482 }
            // These are of the redirection before.
            call.alternatives = []
            call.isLedToSecureAddress = false
            redirectedCall = call
        }
        accounts.take(call.account)
        return 0
    }

    private func isCalled(_ address: OpaquePointer) -> Bool {
        let method = linphone_address_get_method_param(address).map { String(cString: $0) } ?? ""
        return method.isEmpty || method == "INVITE"
    }

    /// Dials the next target of a redirection if the one before refused the call (RFC 3261, section 8.1.3.4),
    /// and returns whether the call goes on.
    func dialAlternative(_ call: Call) -> Bool {
        let status = linphone_error_info_get_protocol_code(linphone_call_get_error_info(call.handle))
        guard !call.isAnswered, !call.isEndedByPhone, (400..<600).contains(status) else { return false }
        while !call.alternatives.isEmpty {
            let text = call.alternatives.removeFirst()
            guard let address = linphone_factory_create_address(linphone_factory_get(), text) else {
                continue
            }
            defer { linphone_address_unref(address) }
            let plain = SIPParty(address).address
            guard call.account.canReach(address), isCalled(address), call.follow(plain),
                let target = linphone_factory_create_address(linphone_factory_get(), plain)
            else { continue }
            defer { linphone_address_unref(target) }
            guard let handle = invite(target, from: call.account, encryption: call.account.mediaEncryption)
            else { continue }
            keepUntilReleased(call)
            call.replace(with: handle)
            return true
        }
        return false
    }
}

extension Call {
    private static let maximumRedirections = 5

    /// Notes a target of a redirection; false if the call has been there (RFC 3261, section 8.1.3.4), or
    /// after too many redirections.
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
