// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The segment display: the number, with the line's name and the status above it.
@MainActor
final class DisplayView {
    /// The display, to be placed in the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let number: FittedLabel
    private let status: FittedLabel
    private let line: FittedLabel

    /// - Parameters:
    ///   - resources: The app's data files.
    ///   - dropped: Called with the text that the user drops on the display, or nil if the data is not text.
    init(resources: Resources, dropped: @escaping @MainActor (String?) -> Void) throws(GLibError) {
        builder = try Builder(file: resources.layout("display"))
        widget = try builder.object("display")
        let (number, status, line): (Widget, Widget, Widget) =
            (try builder.object("number"), try builder.object("status"), try builder.object("line"))
        let (numberRoom, statusRoom): (Widget, Widget) =
            (try builder.object("number-room"), try builder.object("status-room"))
        self.number = FittedLabel(number.cast(), room: numberRoom, smallest: 0.36)
        // These labels are small already. A status shrinks only if it is a long translation, and the name of the line
        // only if a tall script exceeds the height.
        self.status = FittedLabel(
            status.cast(), room: statusRoom, smallest: 0.75, hasTip: true, widensSpaces: true)
        self.line = FittedLabel(line.cast(), room: statusRoom, smallest: 1, hasTip: true, widensSpaces: true)
        // Digits run from left to right in every script, and brackets must not be mirrored.
        for part in [number, status, line, try builder.object("status-row")] {
            gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR)
        }
        Signal.connectDraw(number) { UnlitSegments.draw(behind: number.cast(), with: $0) }
        Signal.connectDrop(widget, dropped)
        try addMenu()
    }

    /// Shows a formatted number.
    func show(number text: String) {
        number.show(text)
    }

    /// Shows a status text.
    func show(status text: String) {
        status.show(text)
    }

    /// Shows the name of the line that Dial uses.
    func show(line text: String) {
        line.show(text)
    }

    private func addMenu() throws(GLibError) {
        let model: UnsafeMutablePointer<GMenuModel> = try builder.object("display-menu")
        let widget = widget
        var made: UnsafeMutablePointer<GtkWidget>?
        // Create the menu on demand, because each menu is a separate window.
        let menu: @MainActor () -> UnsafeMutablePointer<GtkMenu>? = {
            if made == nil, let new = gtk_menu_new_from_model(model) {
                gtk_menu_attach_to_widget(new.cast(), widget, nil)
                made = new
            }
            return made?.cast()
        }
        Signal.connectEvent(widget, "button-press-event") { event in
            guard gdk_event_triggers_context_menu(event) != 0 else { return false }
            gtk_menu_popup_at_pointer(menu(), event)
            return true
        }
        // The menu key and Shift+F10.
        Signal.connectPopup(widget) {
            gtk_menu_popup_at_widget(menu(), widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST, nil)
            menu().map { ContextMenu.select(in: $0.cast()) }
        }
    }
}
