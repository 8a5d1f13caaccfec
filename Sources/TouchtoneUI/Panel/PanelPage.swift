// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge

/// The pages that the panel has room for, in the order of their keys.
package enum PanelPageName: String, CaseIterable {
    /// The buddies, and the conversation with one of them.
    case messages
    /// The calls that were.
    case calls
    /// Who is known.
    case contacts
}

/// A page of the panel beside the phone.
@MainActor
package protocol PanelPage: AnyObject {
    /// The body: it has the panel's whole room below the header.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// What the header says, such as `CALLS — 2 MISSED`.
    var title: String { get }
    /// What stands at the end of the header while the page is shown.
    var headerKeys: [UnsafeMutablePointer<GtkWidget>] { get }
    /// Called when `title` is another.
    var onTitle: (@MainActor () -> Void)? { get set }
    /// The page is looked at from now on, or not any more.
    func setShown(_ isShown: Bool)
    /// The phone is locked from now on, or not any more: while it is, the page has no rows, and shows nothing new.
    func setCovered(_ isCovered: Bool)
    /// A key goes down in the panel, and nothing in the page takes it; true where the page does.
    func keyPressed(_ key: GdkEventKey) -> Bool
    /// Gives the focus to the field that text is for which is typed elsewhere on the page, and returns it; nil where there
    /// is none.
    func focusField() -> UnsafeMutablePointer<GtkWidget>?
    /// The keyboard comes to the page.
    func focus()
    /// Shows nothing any more: the window goes.
    func close()
}

extension PanelPage {
    package var headerKeys: [UnsafeMutablePointer<GtkWidget>] { [] }
    package func setShown(_ isShown: Bool) {}
    package func setCovered(_ isCovered: Bool) {}
    package func keyPressed(_ key: GdkEventKey) -> Bool { false }
    package func focusField() -> UnsafeMutablePointer<GtkWidget>? { nil }
    package func focus() { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
    package func close() {}
}
