// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The panel at the right of the phone.
///
/// It has no messages yet.
@MainActor
final class MessagePanel {
    /// The panel, to be placed in the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let back: UnsafeMutablePointer<GtkWidget>

    /// - Parameter goBack: called by the key that leads from the panel to the phone in a narrow window.
    init(resources: Resources, goBack: @escaping @MainActor () -> Void) throws(GLibError) {
        builder = try Builder(file: resources.layout("panel"))
        widget = try builder.object("panel")
        back = try builder.object("back")
        Signal.connect(back, "clicked", goBack)
    }

    /// Shows the way back to the phone, where the window has room for one of them only.
    func show(wayBack: Bool) {
        gtk_widget_set_visible(back, wayBack ? 1 : 0)
    }
}
