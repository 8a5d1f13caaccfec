// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The window that says why the program did not start, for a user who has no terminal.
@MainActor
public enum StartFailure {
    /// Shows the reason until the user closes the window, or a signal asks the program to end.
    ///
    /// GTK must have a display. No other main loop may run.
    public static func explain(_ reason: String) {
        FirstFrameTheme.end()
        let window = AlertWindow(
            title: localized("Touchtone can’t start"), text: reason,
            choices: [.init(label: localizedIn("verb", "Close")) { gtk_main_quit() }]
        ).window
        Signal.connect(window, "destroy") { gtk_main_quit() }
        EndSignals.watch { gtk_main_quit() }
        gtk_window_present(window.cast())
        gtk_main()
    }
}
