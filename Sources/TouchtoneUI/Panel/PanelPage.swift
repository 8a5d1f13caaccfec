// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge

/// The pages of the panel, in the order of their keys.
package enum PanelPageName: String, CaseIterable {
    case messages
    case calls
    case contacts
}

/// The size of the panel, as far as it matters to a page.
package struct PanelArrangement: Hashable {
    package enum Width: Sendable {
        /// The detail takes the place of the page.
        case narrow
        /// The detail is below the page.
        case middle
        /// The detail is beside the page.
        case wide
    }

    package var width: Width
    /// The height of the panel, in pixels.
    package var height: gint
    /// Whether the detail has the window’s buttons.
    package var hasWindowButtons: Bool
    /// The width of a panel that has little room, in pixels at the text scale 1; `ample` for a wider one.
    package var room = ample

    /// The least width with room for all keys of a header, in pixels at the text scale 1.
    package static let ample: gint = 350
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
    /// The view of the chosen item, in a place of its own; nil if the page has none.
    var detail: Widget? { get }
    /// Whether something is chosen, so that a narrow panel shows it instead of the page.
    var isDetailChosen: Bool { get }
    /// Called when `isDetailChosen` has changed.
    var onDetail: (@MainActor () -> Void)? { get set }
    /// Arranges the page and its detail for the size of the panel.
    func arrange(_ arrangement: PanelArrangement)
    /// Notifies the page that it has become visible to the user, or is no longer visible.
    func setShown(_ isShown: Bool)
    /// Tells that the phone was locked or unlocked; a covered page has no rows and shows nothing new.
    func setCovered(_ isCovered: Bool)
    /// Handles a key press on the page before the focused widget does; returns whether it did.
    func keyComes(_ key: GdkEventKey) -> Bool
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
    package var detail: Widget? { nil }
    package var isDetailChosen: Bool { false }
    package var onDetail: (@MainActor () -> Void)? {
        get { nil }
        set {}
    }
    package func arrange(_ arrangement: PanelArrangement) {}
    package func setShown(_ isShown: Bool) {}
    package func setCovered(_ isCovered: Bool) {}
    package func keyComes(_ key: GdkEventKey) -> Bool { false }
    package func keyPressed(_ key: GdkEventKey) -> Bool { false }
    package func focusField() -> Widget? { nil }
    package func focus() { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
    package func close() {}
}
