// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import DialogInfo
import SIPMessages

/// The subscription of an account to the calls of an extension (RFC 4235).
final class ExtensionWatch {
    /// The address, as the phone has it.
    let address: String
    /// The address for liblinphone.
    let resource: OpaquePointer
    var subscription = EventSubscription("dialog", accepting: "application/dialog-info+xml")
    var table: DialogTable
    /// The state that the phone knows.
    var reported = SIPExtension(.unknown)

    /// Prepares to watch an extension; nil if its address is not valid.
    init?(_ address: String) {
        guard let resource = linphone_factory_create_address(linphone_factory_get(), address) else {
            return nil
        }
        (self.address, self.resource) = (address, resource)
        table = DialogTable(of: address)
    }

    deinit { linphone_address_unref(resource) }

    /// The present state of the extension.
    var present: SIPExtension {
        switch table.state {
        case .unknown: SIPExtension(.unknown)
        case .free: SIPExtension(.free)
        case .busy: SIPExtension(.busy)
        case .ringing:
            SIPExtension(
                .ringing, canBePickedUp: target != nil,
                caller: table.ringing.flatMap(Self.caller) ?? SIPParty(address: ""))
        }
    }

    /// The field Replaces and the address of a call that picks up the one that rings; nil if that is not possible.
    var target: (replaces: String, address: String)? {
        guard let dialog = table.ringing, let replaces = dialog.replaces else { return nil }
        let address = [dialog.target, dialog.remote].lazy.compactMap(Self.address).first
        return address.map { (replaces, $0) }
    }

    private static func caller(in dialog: Dialog) -> SIPParty? {
        guard let address = address(dialog.remote) else { return nil }
        let name = dialog.remoteName.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return SIPParty(address: address, displayName: Texts.safe(name))
    }

    /// Returns a SIP address as far as the phone uses it; nil if it is none.
    private static func address(_ text: String) -> String? {
        guard !text.contains(where: { "<>\" \t\r\n".contains($0) }),
            let address = AssertedIdentities.from("<\(text)>")?.address, address.lowercased().hasPrefix("sip")
        else { return nil }
        return address
    }
}
