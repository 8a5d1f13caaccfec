// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import SIPMessages

extension Calls {
    /// Picks up the call that rings at an extension; nobody is called if none rings any more, or if it cannot be picked up.
    func pickUp(_ id: SIPCallID, account accountID: String, address: String) {
        guard let account = accounts.account(accountID),
            let target = accounts.pickUpTarget(at: address, of: account),
            let far = linphone_factory_create_address(linphone_factory_get(), target.address)
        else { return send(.ended(SIPEnd(.phone, status: 481)), of: id) }
        defer { linphone_address_unref(far) }
        dial(id, far, from: account, replacing: target.replaces)
    }

    /// Lets a call take over another one of its far end (RFC 3891), or fail.
    ///
    /// A far end that did not know the field would otherwise ring.
    func setReplaced(_ replaced: String, of parameters: OpaquePointer?) {
        linphone_call_params_add_custom_header(parameters, "Replaces", replaced)
        linphone_call_params_add_custom_header(parameters, "Require", "replaces")
    }
}
