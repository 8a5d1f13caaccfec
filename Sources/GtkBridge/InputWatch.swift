// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells of every input of a person to any window of the program, whichever widget takes it.
@MainActor
public enum InputWatch {
    private struct Listener {
        weak var owner: AnyObject?
        let body: @MainActor () -> Void
    }

    private static var listeners: [Listener] = []

    /// Has `body` called at each movement and press, before the widgets get it, as long as `owner` is there.
    public static func follow(_ owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        listeners.removeAll { $0.owner == nil }
        listeners.append(Listener(owner: owner, body: body))
        guard listeners.count == 1 else { return }
        gdk_event_handler_set(
            { event, _ in
                guard let event else { return }
                nonisolated(unsafe) let one = event  // It stays on this, the main, thread.
                MainActor.assumeIsolated { if InputWatch.isInput(one.pointee.type) { InputWatch.tell() } }
                gtk_main_do_event(event)
            }, nil, nil)
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
