// SPDX-License-Identifier: GPL-3.0-or-later

@MainActor
public enum WidgetTree {
    /// Calls `body` for a widget and all its descendants, including hidden ones and internal ones of composite widgets.
    public static func visit(_ widget: Widget, _ body: @escaping @MainActor (Widget) -> Void) {
        body(widget)
        guard cgtk_instance_is_a(widget, gtk_container_get_type()) != 0 else { return }
        let visitor: @MainActor (Widget) -> Void = { visit($0, body) }
        let box = Box(visitor)
        gtk_container_forall(
            widget.cast(),
            { child, data in
                guard let child else { return }
                nonisolated(unsafe) let below = child  // It stays on the main thread.
                Box<@MainActor (Widget) -> Void>.call(data) { $0(below) }
            }, Unmanaged.passUnretained(box).toOpaque())
    }
}
