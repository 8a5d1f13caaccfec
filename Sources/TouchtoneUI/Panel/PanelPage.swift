// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge

/// The pages of the panel, in the order of their keys.
package enum PanelPageName: String, CaseIterable {
    case messages
    case calls
    case contacts
}

/// A page of the panel beside the phone.
@MainActor
package protocol PanelPage: AnyObject {
    /// The body of the page, which fills the panel below the header.
    var widget: Widget { get }
    /// The title in the header, such as `CALLS — 2 MISSED`.
    var title: String { get }
    /// The title in a header without room for `title`, such as `CALLS`.
    var shortTitle: String { get }
    /// The widgets at the end of the header while the page is shown.
    var headerKeys: [Widget] { get }
    /// Called when `title` has changed.
    var onTitle: (@MainActor () -> Void)? { get set }
    /// Notifies the page that it has become visible to the user, or is no longer visible.
    func setShown(_ isShown: Bool)
    /// Tells that the phone was locked or unlocked; a covered page has no rows and shows nothing new.
    func setCovered(_ isCovered: Bool)
    /// Handles a key press in the panel that no widget of the page handled; returns whether it did.
    func keyPressed(_ key: GdkEventKey) -> Bool
    /// Focuses the field for text that is typed elsewhere on the page, and returns it; nil if there is none.
    func focusField() -> Widget?
    func focus()
    /// Releases the contents of the page before the window closes.
    func close()
}

extension PanelPage {
    package var shortTitle: String { title }
    package var headerKeys: [Widget] { [] }
    package func setShown(_ isShown: Bool) {}
    package func setCovered(_ isCovered: Bool) {}
    package func keyPressed(_ key: GdkEventKey) -> Bool { false }
    package func focusField() -> Widget? { nil }
    package func focus() { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
    package func close() {}
}
