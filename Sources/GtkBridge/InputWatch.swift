// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells of every input of a person to any window of the program, whichever widget takes it, and of what assistive tools do
/// there for a person.
///
/// A change that the program makes itself, such as a new label, is no input.
@MainActor
public enum InputWatch {
    private struct Listener {
        weak var owner: AnyObject?
        let body: @MainActor () -> Void
    }

    private static var listeners: [Listener] = []
    private static var isWatching = false

    /// Has `body` called at each movement, press and action, as long as `owner` is there.
    ///
    /// It is called before the widgets get the event of a movement or press.
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
                nonisolated(unsafe) let one = event  // It stays on this, the main, thread.
                MainActor.assumeIsolated { if InputWatch.isInput(one.pointee.type) { InputWatch.tell() } }
                gtk_main_do_event(event)
            }, nil, nil)
    }

    /// The action of a button or a menu item comes from an assistive tool where no event is being handled.
    private static func watchActions() {
        for (type, signal) in [(gtk_button_get_type(), "clicked"), (gtk_menu_item_get_type(), "activate")] {
            // A type has its signals once its class is there.
            g_type_class_unref(g_type_class_ref(type))
            g_signal_add_emission_hook(
                g_signal_lookup(signal, type), 0,
                { _, _, _, _ in
                    if let event = gtk_get_current_event() {
                        gdk_event_free(event)
                    } else {
                        MainActor.assumeIsolated { InputWatch.tell() }
                    }
                    return 1
                }, nil, nil)
        }
    }

    private static func tell() {
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
