// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with a form of a room, such as its settings.
///
/// It stays open until the room has accepted the answers. Closing it sends nothing.
@MainActor
final class RoomFormPopover {
    typealias Load = @MainActor () async throws(RoomError) -> RoomForm
    typealias Send = @MainActor (RoomForm) async throws(RoomError) -> Void

    private let send: Send
    private let popover: TransientPopover
    private let place = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private let status = Widget.wrappedLabel(localized("Loading…"))
    private let apply: Widget
    private var fields: RoomFormFields?

    private init(_ title: String, verb: String, at widget: Widget, send: @escaping Send) {
        self.send = send
        popover = TransientPopover(at: widget)
        apply = Widget.button(verb, style: "suggested-action")
        let column = popover.makeColumn(title)
        let scrolled = Widget.scroller(place)
        gtk_widget_set_size_request(scrolled, -1, 320)
        // The scroll bar is drawn over the contents.
        gtk_widget_set_margin_end(place, 8)
        // The form scrolls to the field that Tab focuses.
        gtk_container_set_focus_vadjustment(
            place.cast(), gtk_scrolled_window_get_vadjustment(scrolled.cast()))
        column.add(scrolled, grows: true)
        column.add(status)
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL)
        gtk_box_pack_end(row.cast(), apply, 0, 0, 0)
        column.add(row)
        gtk_widget_show_all(column)
        gtk_widget_set_sensitive(apply, 0)
        Signal.connect(apply, "clicked") { [weak self] in self?.submit() }
    }

    /// Opens the popover at the area `place` of the widget, nil for all of it, and requests the form.
    static func show(
        _ title: String, verb: String, at widget: Widget, place: GdkRectangle? = nil,
        load: @escaping Load, send: @escaping Send
    ) {
        let form = RoomFormPopover(title, verb: verb, at: widget, send: send)
        form.popover.open(with: form, place: place)
        Task { await form.fill(load) }
    }

    private func fill(_ load: Load) async {
        do throws(RoomError) {
            let form = try await load()
            guard popover.isOpen else { return }
            let fields = RoomFormFields(form)
            self.fields = fields
            place.add(fields.widget)
            gtk_widget_show_all(fields.widget)
            status.isVisible = false
            gtk_widget_set_sensitive(apply, 1)
            gtk_widget_child_focus(fields.widget, GTK_DIR_TAB_FORWARD)
        } catch {
            guard popover.isOpen else { return }
            show(problem: error)
        }
    }

    private func show(problem: RoomError) {
        status.set(style: "problem", true)
        status.text = PlainText.line(problem.text, maximum: 400)
        status.isVisible = true
        status.announce(status.text)
    }

    private func submit() {
        guard let form = fields?.form else { return }
        gtk_widget_set_sensitive(apply, 0)
        status.isVisible = false
        Task { [self] in
            do throws(RoomError) {
                try await send(form)
                popover.close()
            } catch {
                guard popover.isOpen else { return }
                show(problem: error)
                gtk_widget_set_sensitive(apply, 1)
            }
        }
    }
}
