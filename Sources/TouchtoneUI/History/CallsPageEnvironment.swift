// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
package import TouchtoneCore

/// What the page of calls asks of the program around it.
@MainActor
package struct CallsPageEnvironment {
    /// A number as the display writes it.
    var written: @MainActor (DialledNumber) -> String
    /// What the display calls a line, by its id; empty where it is not there any more.
    var lineLabel: @MainActor (String) -> String = { _ in "" }
    /// Puts a number into the display, where Dial calls it.
    var fillIn: @MainActor (DialledNumber) -> Void
    /// Whether a call can be begun now.
    var canCall: @MainActor () -> Bool
    /// Calls a number.
    var call: @MainActor (DialledNumber) -> Void
    /// The Jabber address of who has a number; nil where none is known.
    var jabber: @MainActor (PastCall) -> ChatAddress? = { _ in nil }
    /// Opens a conversation.
    var message: @MainActor (ChatAddress) -> Void = { _ in }
    /// What can be done about who called in the page of contacts: its words, and what does it; nil is nothing.
    var contact: @MainActor (PastCall) -> (words: String, open: @MainActor () -> Void)? = { _ in nil }
    /// Asks for a file.
    var askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer? = { _ in nil }

    /// - Parameters:
    ///   - written: a number as the display writes it.
    ///   - fillIn: puts a number into the display.
    ///   - canCall: whether a call can be begun now.
    ///   - call: calls a number.
    package init(
        written: @escaping @MainActor (DialledNumber) -> String,
        fillIn: @escaping @MainActor (DialledNumber) -> Void,
        canCall: @escaping @MainActor () -> Bool, call: @escaping @MainActor (DialledNumber) -> Void
    ) {
        (self.written, self.fillIn, self.canCall, self.call) = (written, fillIn, canCall, call)
    }
}
