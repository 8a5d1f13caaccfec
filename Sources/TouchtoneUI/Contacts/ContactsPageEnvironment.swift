// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The services that the contacts page uses.
@MainActor
struct ContactsPageEnvironment {
    /// The phone, which formats and calls numbers.
    let phone: Phone
    /// The action that shows the phone, if the window has no room for both the phone and the panel.
    let showPhone: @MainActor () -> Void
    /// The action that opens the conversation with a Jabber address; nil if messages are unavailable.
    let message: (@MainActor (String) -> Void)?
    /// The action that opens the conversation with a telephone number; nil if messages are unavailable.
    var messageNumber: (@MainActor (DialledNumber) -> Void)?
    /// The function that returns the last call and message of a contact; nil to show none.
    var activity: (@MainActor (ContactCard) async -> ContactActivity)?
    /// The toast that reports a change and offers to undo it.
    let toast: Toast
    /// The number pad shared by all fields.
    let pad: NumberPad
    /// The function that shows a file dialog.
    let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?

    /// Creates the environment; the parameters are the properties of the same names.
    init(
        phone: Phone, showPhone: @escaping @MainActor () -> Void,
        message: (@MainActor (String) -> Void)?, toast: Toast, pad: NumberPad,
        askFile: @escaping @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    ) {
        (self.phone, self.showPhone, self.message) = (phone, showPhone, message)
        (self.toast, self.pad, self.askFile) = (toast, pad, askFile)
    }

    /// Returns the SIP address of a method, if a line can call it.
    func address(of method: ContactMethod) -> SIPURI? {
        guard method.kind == .sip, phone.lineForAddresses?() != nil else { return nil }
        return try? SIPURI(entered: method.text)
    }

    /// Shows the phone, and calls a SIP address unless a call prevents it.
    func call(_ address: SIPURI) {
        showPhone()
        guard phone.dialKey == .dial else { return }
        phone.enter(address)
        phone.dial()
    }
}
