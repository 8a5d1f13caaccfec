// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims

// Checks of the addresses to which far ends lead the phone, by a transfer or a redirection. liblinphone would call a
// `sips:` address over any transport.
extension Calls {
    /// Checks such addresses from now on, until `endTargetChecks()`.
    func beginTargetChecks() {
        sipshims_check_targets(
            { context, callID, target in
                guard let context, let callID, let target else { return 0 }
                let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
                return calls.refusal(of: target, for: String(cString: callID))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the checks.
    func endTargetChecks() { sipshims_check_targets(nil, nil) }

    /// Returns the status that refuses an address for the call with a Call-ID; 0 if the call may go there.
    ///
    /// Within a callback of liblinphone, nothing of its own may change here.
    private func refusal(of target: UnsafePointer<CChar>, for callID: String) -> CInt {
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
        return method.isEmpty || method == "INVITE" ? 0 : 603
    }
}
