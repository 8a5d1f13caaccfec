// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A popover that is destroyed when it closes.
///
/// Opening one closes any other.
@MainActor
final class TransientPopover {
    /// The popover, a `GtkPopover`.
    let widget: Widget
    /// The object that fills the popover, which is retained until it closes.
    private var content: AnyObject?
    /// The open popover, which is retained here until it closes.
    private static var open: TransientPopover?

    /// The width of the contents of a popover, in layout pixels, which fits the narrowest window.
    static let width: gint = 284

    var isOpen: Bool { Self.open === self }

    init(at parent: Widget) {
        widget = gtk_popover_new(parent)
        Signal.connect(widget, "closed") { [weak self] in self?.closed() }
        // The widget that it points at may be removed from the window, for example when the phone locks.
        Signal.connect(widget, "unmap") { [weak self] in self?.closed() }
    }

    /// Creates the column of the contents, below a title, which is also the accessible name.
    func makeColumn(_ title: String, spacing: gint = 8) -> Widget {
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: spacing, style: "ask")
        gtk_widget_set_size_request(column, Self.width, -1)
        column.add(.wrappedLabel(title, style: "ask-title"))
        gtk_container_add(widget.cast(), column)
        cgtk_widget_set_accessible(widget, title, nil)
        return column
    }

    /// Opens the popover with the object that fills it; a nil `place` is all of the widget that it points at.
    func open(with content: AnyObject, place: GdkRectangle? = nil) {
        Self.cancel()
        (self.content, Self.open) = (content, self)
        if var place { gtk_popover_set_pointing_to(widget.cast(), &place) }
        gtk_popover_popup(widget.cast())
    }

    func close() {
        if isOpen { gtk_popover_popdown(widget.cast()) }
    }

    static func cancel() {
        guard let open else { return }
        let popover = GObjectRef(retaining: open.widget)
        open.closed()
        Blanking.wipe(popover.cast())
        gtk_widget_hide(popover.cast())
    }

    private func closed() {
        guard isOpen else { return }
        Self.open = nil
        let popover = GObjectRef(retaining: widget)
        MainLoop.soon { gtk_widget_destroy(popover.cast()) }
        // This may release the last reference to this object.
        content = nil
    }
}
