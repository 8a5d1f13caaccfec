// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The effect of closing the window: the program ends, or, if the user has chosen so, runs on without a window.
///
/// The hidden window still belongs to the application, which therefore does not end. A conversation ends in both cases,
/// because a microphone must not stay open unseen; a caller who waits for an answer goes on ringing.
@MainActor
final class WindowClosing {
    static let key = "run-in-background"

    private let window: UnsafeMutablePointer<GtkWindow>
    private let settings: Settings
    private let calls: CallManager
    private weak var owner: (any DesktopOwner)?
    /// Whether the user has closed the window, and not opened it since.
    private var isClosed = false

    init(
        _ window: UnsafeMutablePointer<GtkWindow>, settings: Settings, calls: CallManager,
        owner: any DesktopOwner
    ) {
        (self.window, self.settings, self.calls, self.owner) = (window, settings, calls, owner)
        Signal.connectEvent(window, "delete-event") { [weak self] _ in
            guard let self, settings[flag: Self.key] else { return false }
            self.owner?.windowWillHide()
            hide()
            return true
        }
        Signal.connect(window, "map") { [weak self] in self?.isClosed = false }
        // Without the setting, nothing would bring the window back.
        settings.follow(Self.key) { [weak self] in
            if let self, isClosed, !settings[flag: Self.key] { self.owner?.quit() }
        }
    }

    private func hide() {
        isClosed = true
        for call in calls.calls where ![.incoming, .machine].contains(call.state) { calls.hangUp(call.id) }
        var (left, top): (gint, gint) = (0, 0)
        gtk_window_get_position(window, &left, &top)
        let widget: Widget = window.cast()
        gtk_widget_hide(widget)
        // A window manager of X places a window that is shown again as a new one, unless it asks for a place. Wayland has
        // no places.
        gtk_window_move(window, left, top)
    }
}
