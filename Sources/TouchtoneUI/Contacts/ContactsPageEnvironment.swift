// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What the page of contacts asks of the program around it.
@MainActor
struct ContactsPageEnvironment {
    /// The phone, which calls and shows numbers.
    let phone: Phone
    /// Shows the phone, where the window has room for one of the two only.
    let showPhone: @MainActor () -> Void
    /// Opens the conversation with a Jabber address; nil where there are no messages.
    let message: (@MainActor (String) -> Void)?
    /// Says what was done, and how to undo it.
    let toast: Toast
    /// The number pad of the program.
    let pad: NumberPad
    /// Asks for a file.
    let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?

    /// - Parameters:
    ///   - phone: calls and shows numbers.
    ///   - showPhone: shows the phone.
    ///   - message: opens the conversation with a Jabber address; nil where there are no messages.
    ///   - toast: says what was done.
    ///   - pad: the number pad of the program.
    ///   - askFile: asks for a file.
    init(
        phone: Phone, showPhone: @escaping @MainActor () -> Void,
        message: (@MainActor (String) -> Void)?, toast: Toast, pad: NumberPad,
        askFile: @escaping @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    ) {
        (self.phone, self.showPhone, self.message) = (phone, showPhone, message)
        (self.toast, self.pad, self.askFile) = (toast, pad, askFile)
    }
}
