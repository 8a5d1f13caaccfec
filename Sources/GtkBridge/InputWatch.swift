// SPDX-License-Identifier: GPL-3.0-or-later

/// An observer of all user input to any window of the program, including actions by assistive tools.
///
/// A change that the program makes itself, such as a new label, is not input.
@MainActor
public enum InputWatch {
    private struct Listener {
        weak var owner: AnyObject?
        let body: @MainActor () -> Void
    }

    private static var listeners: [Listener] = []
    private static var isWatching = false

    /// Calls `body` before each movement, key press and action reaches its widget, while `owner` exists.
    public static func follow(_ owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        listeners.removeAll { $0.owner == nil }
        listeners.append(Listener(owner: owner, body: body))
        guard !isWatching else { return }
        isWatching = true
        watchEvents()
        watchActions()
    }

    private static func watchEvents() {
        gdk_event_handler_set(
            { event, _ in
                guard let event else { return }
                nonisolated(unsafe) let one = event  // It stays on the main thread.
                MainActor.assumeIsolated { if InputWatch.isInput(one.pointee.type) { InputWatch.notify() } }
                gtk_main_do_event(event)
            }, nil, nil)
    }

    /// Observes the actions of buttons and menu items: without an event, they come from an assistive tool.
    private static func watchActions() {
        for (type, signal) in [(gtk_button_get_type(), "clicked"), (gtk_menu_item_get_type(), "activate")] {
            // A type has its signals only once its class exists.
            g_type_class_unref(g_type_class_ref(type))
            g_signal_add_emission_hook(
                g_signal_lookup(signal, type), 0,
                { _, _, _, _ in
                    if let event = gtk_get_current_event() {
                        gdk_event_free(event)
                    } else {
                        MainActor.assumeIsolated { InputWatch.notify() }
                    }
                    return 1
                }, nil, nil)
        }
    }

    private static func notify() {
        for listener in listeners where listener.owner != nil { listener.body() }
    }

    private static func isInput(_ type: GdkEventType) -> Bool {
        switch type {
        case GDK_KEY_PRESS, GDK_KEY_RELEASE, GDK_BUTTON_PRESS, GDK_BUTTON_RELEASE, GDK_MOTION_NOTIFY,
            GDK_SCROLL,
            GDK_TOUCH_BEGIN, GDK_TOUCH_UPDATE, GDK_TOUCH_END:
            true
        default: false
        }
    }
}
