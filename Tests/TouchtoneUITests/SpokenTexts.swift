// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport

@testable import TouchtoneUI

/// The texts that a screen reader speaks for a window, since this object exists.
@MainActor
final class SpokenTexts {
    private var signalled: [String] = []
    private let areSignals: Bool

    init(in window: Widget) {
        areSignals = g_signal_lookup("notification", atk_object_get_type()) != 0
        Announcements.forget()
        guard areSignals, let accessible = gtk_widget_get_accessible(window) else { return }
        let handler: @MainActor (String) -> Void = { [weak self] in self?.signalled.append($0) }
        let trampoline: @convention(c) (gpointer?, UnsafePointer<CChar>?, gint, gpointer?) -> Void = {
            _, bytes, _, data in
            let text = bytes.map { String(cString: $0) } ?? ""
            Box<@MainActor (String) -> Void>.call(data) { $0(text) }
        }
        Signal.connect(UnsafeMutableRawPointer(accessible), "notification", trampoline, handler)
    }

    var texts: [String] {
        areSignals
            ? signalled : Announcements.labels.map { String(cString: gtk_label_get_text($0.cast())) }
    }
}
