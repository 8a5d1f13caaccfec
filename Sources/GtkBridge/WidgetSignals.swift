// SPDX-License-Identifier: GPL-3.0-or-later

// Signals of widgets and of the application.
extension Signal {
    /// Connects to an event of a widget; the handler returns whether it handled the event.
    @discardableResult
    public static func connectEvent(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        _ handler: @escaping @MainActor (UnsafeMutablePointer<GdkEvent>) -> Bool
    ) -> gulong {
        let trampoline: @convention(c) (gpointer?, UnsafeMutablePointer<GdkEvent>?, gpointer?) -> gboolean = {
            _, event, data in
            nonisolated(unsafe) var handled = false  // Both stay on the main thread.
            nonisolated(unsafe) let event = event
            Box<@MainActor (UnsafeMutablePointer<GdkEvent>) -> Bool>.call(data) { handler in
                if let event { handled = handler(event) }
            }
            return handled ? 1 : 0
        }
        return connect(instance, name, trampoline, handler)
    }

    /// Connects to a widget's `draw`, before its own drawing, or in place of that if `isInstead`.
    @discardableResult
    public static func connectDraw(
        _ instance: UnsafeMutableRawPointer, insteadOfOwn isInstead: Bool = false,
        _ handler: @escaping @MainActor (OpaquePointer) -> Void
    ) -> gulong {
        let trampoline: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> gboolean = {
            _, cairo, data in
            nonisolated(unsafe) var isDone = false  // Both stay on the main thread.
            nonisolated(unsafe) let cairo = cairo
            Box<@MainActor (OpaquePointer) -> Bool>.call(data) { draw in
                if let cairo { isDone = draw(cairo) }
            }
            return isDone ? 1 : 0
        }
        let draw: @MainActor (OpaquePointer) -> Bool = { cairo in
            handler(cairo)
            return isInstead
        }
        return connect(instance, "draw", trampoline, draw)
    }

    /// Connects to a scale's `format-value`; the handler returns the text for the value.
    public static func connectFormat(
        _ scale: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (Double) -> String
    ) {
        let trampoline: @convention(c) (gpointer?, gdouble, gpointer?) -> UnsafeMutablePointer<gchar>? = {
            _, value, data in
            nonisolated(unsafe) var text = ""  // It stays on the main thread.
            Box<@MainActor (Double) -> String>.call(data) { text = $0(value) }
            return g_strdup(text)
        }
        connect(scale, "format-value", trampoline, handler)
    }

    /// Connects to a widget's `popup-menu`, which the keyboard emits to open its menu.
    public static func connectPopup(
        _ widget: UnsafeMutableRawPointer, _ handler: @escaping @MainActor () -> Void
    ) {
        let trampoline: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
            Box<@MainActor () -> Void>.call(data) { $0() }
            return 1
        }
        connect(widget, "popup-menu", trampoline, handler)
    }

    /// Connects to a dialog's `response`, whose number is a `GtkResponseType`.
    public static func connectResponse(
        _ dialog: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (Int32) -> Void
    ) {
        let trampoline: @convention(c) (gpointer?, gint, gpointer?) -> Void = { _, response, data in
            Box<@MainActor (Int32) -> Void>.call(data) { $0(response) }
        }
        connect(dialog, "response", trampoline, handler)
    }

    /// Connects to a widget's `focus`, before the widget's own handler; the handler returns whether it moved the focus.
    public static func connectFocus(
        _ widget: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (GtkDirectionType) -> Bool
    ) {
        let trampoline: @convention(c) (gpointer?, GtkDirectionType, gpointer?) -> gboolean = {
            _, direction, data in
            nonisolated(unsafe) var isMoved = false  // It stays on the main thread.
            Box<@MainActor (GtkDirectionType) -> Bool>.call(data) { isMoved = $0(direction) }
            return isMoved ? 1 : 0
        }
        connect(widget, "focus", trampoline, handler)
    }

    /// Connects to a window's `set-focus`; the handler receives the widget that gets the focus, or nil for none.
    public static func connectSetFocus(
        _ window: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (Widget?) -> Void
    ) {
        let trampoline: @convention(c) (gpointer?, Widget?, gpointer?) -> Void = {
            _, widget, data in
            nonisolated(unsafe) let widget = widget  // It stays on the main thread.
            Box<@MainActor (Widget?) -> Void>.call(data) { $0(widget) }
        }
        connect(window, "set-focus", trampoline, handler)
    }

    /// Connects to a label's `activate-link`; the handler receives the target, and GTK does not open it.
    public static func connectLink(
        _ label: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (String) -> Void
    ) {
        let trampoline: @convention(c) (gpointer?, UnsafePointer<CChar>?, gpointer?) -> gboolean = {
            _, target, data in
            let target = target.map { String(cString: $0) } ?? ""
            Box<@MainActor (String) -> Void>.call(data) { $0(target) }
            return 1
        }
        connect(label, "activate-link", trampoline, handler)
    }

    /// Connects to an application's `open`; the handler receives the URIs unchanged.
    public static func connectOpen(
        _ application: UnsafeMutableRawPointer, _ handler: @escaping @MainActor ([String]) -> Void
    ) {
        let trampoline:
            @convention(c) (
                gpointer?, UnsafeMutablePointer<OpaquePointer?>?, gint, UnsafePointer<CChar>?, gpointer?
            ) -> Void = { _, files, count, _, data in
                let links = UnsafeBufferPointer(start: files, count: Int(count)).compactMap {
                    file -> String? in
                    guard let uri = g_file_get_uri(file) else { return nil }
                    defer { g_free(uri) }
                    return String(cString: uri)
                }
                Box<@MainActor ([String]) -> Void>.call(data) { $0(links) }
            }
        connect(application, "open", trampoline, handler)
    }
}
