// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
package import TouchtoneCore

/// A number or address that the phone can call.
package enum Callee: Hashable {
    case number(DialledNumber)
    case address(CallAddress)
}

/// The ways that lead from a page of the panel, or from the suggestions, to other parts of the window.
///
/// The window implements it and owns those parts, so they hold it weakly. A test has a `RecordingNavigator`.
@MainActor
package protocol Navigator: AnyObject {
    /// Shows the phone with a callee on its display, and waits for Dial.
    func enter(_ callee: Callee)
    /// Shows the phone, and calls; during a call, the display says that nothing is dialled.
    func call(_ callee: Callee)

    /// Shows the phone, and calls what a memory key holds or picks up the call at its extension.
    func callKept(_ target: CallTarget)
    /// Calls somebody, or offers all ways to call their contact in a menu at a widget, if there are several; the last
    /// one that was used comes first.
    func call(_ callee: Callee, of contact: Contact.ID?, at place: Widget)
    func showConversation(with buddy: ChatAddress)
    /// Shows the conversation with a number, or says why there is none.
    func showConversation(with number: DialledNumber)
    func showContact(_ id: Contact.ID)
    /// Shows the form for a new contact, filled in from a card.
    func addContact(_ card: ContactCard)
    /// Opens a link that the user clicked; nothing is dialled or sent.
    func open(_ link: TextLink)
    /// Opens a file on the disk, by its absolute path, with the desktop’s application.
    func openFile(_ path: String)
    /// Shows a sentence for a while, beside the page.
    func say(_ sentence: String)
    /// Opens the account settings in Preferences.
    func openAccount()
    /// Asks for files to open or a place to save one; nil if the user cancels or the phone is locked.
    func askFile(_ request: FileDialog.Request) async -> FileDialog.Answer?
}
