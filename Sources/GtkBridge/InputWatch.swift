// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells of every input of a person to any window of the program, whichever widget takes it.
@MainActor
public enum InputWatch {
    private static var told: (@MainActor () -> Void)?

    /// Has `body` called at each movement and press, before the widgets get it; in place of the one before.
    public static func start(_ body: @escaping @MainActor () -> Void) {
        told = body
        gdk_event_handler_set(
            { event, _ in
                guard let event else { return }
                nonisolated(unsafe) let one = event  // It stays on this, the main, thread.
                MainActor.assumeIsolated { if InputWatch.isInput(one.pointee.type) { InputWatch.told?() } }
                gtk_main_do_event(event)
            }, nil, nil)
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
