// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
package import TouchtoneCore

/// The services that the calls page uses.
@MainActor
package struct CallsPageEnvironment {
    /// The function that formats a number as on the display.
    var written: @MainActor (DialledNumber) -> String
    /// The function that returns the label of a line by its id; empty if the line no longer exists.
    var lineLabel: @MainActor (String) -> String = { _ in "" }
    /// The action that puts a number on the display.
    var fillIn: @MainActor (DialledNumber) -> Void
    /// The function that returns whether a call can be started now.
    var canCall: @MainActor () -> Bool
    /// The action that calls a number.
    var call: @MainActor (DialledNumber) -> Void
    /// The action that puts a SIP address on the display.
    var enterAddress: @MainActor (SIPURI) -> Void = { _ in }
    /// The action that calls a SIP address.
    var callAddress: @MainActor (SIPURI) -> Void = { _ in }
    /// The function that returns the action which opens a conversation with the far end of a call; nil for none.
    var message: @MainActor (PastCall) -> (@MainActor () -> Void)? = { _ in nil }
    /// The function that returns the menu item for the far end's contact, as its label and action; nil for none.
    var contact: @MainActor (PastCall) -> (label: String, open: @MainActor () -> Void)? = { _ in nil }
    /// The function that returns a number for a first call, which is answered without an account; nil if Dial uses another
    /// line.
    var practiceNumber: @MainActor () -> DialledNumber? = { nil }
    /// The function that shows a file dialog.
    var askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer? = { _ in nil }

    /// Creates the environment with the services that the page cannot do without.
    ///
    /// - Parameters:
    ///   - written: The function that formats a number as on the display.
    ///   - fillIn: The action that puts a number on the display.
    ///   - canCall: The function that returns whether a call can be started now.
    ///   - call: The action that calls a number.
    package init(
        written: @escaping @MainActor (DialledNumber) -> String,
        fillIn: @escaping @MainActor (DialledNumber) -> Void,
        canCall: @escaping @MainActor () -> Bool, call: @escaping @MainActor (DialledNumber) -> Void
    ) {
        (self.written, self.fillIn, self.canCall, self.call) = (written, fillIn, canCall, call)
    }
}
