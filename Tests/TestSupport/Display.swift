// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A virtual screen for tests that show windows, started on first use and shared.
public enum Display {
    /// Starts the screen and makes it the display of the test process.
    ///
    /// Settings are stored in memory, and no session bus is reached: nothing of the user's desktop is seen or changed.
    ///
    /// - Throws: `MissingPeer` if the server is not installed.
    public static func start() throws {
        try started.get()
    }

    // A static's initializer starts it once, whichever test comes first.
    private static let started = Result { try launch() }

    private static func launch() throws {
        try Peer.require("Xvfb", package: "xvfb")
        let server = try Child([
            "Xvfb", "-displayfd", "1", "-screen", "0", "1600x1400x24", "-nolisten", "tcp",
        ])
        guard let number = server.readLine() else { throw MissingPeer(name: "Xvfb", package: "xvfb") }
        // The process and its screen must live until the test process ends.
        _ = Unmanaged.passRetained(server)
        for (name, value) in [
            "DISPLAY": ":\(number)", "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "GTK_THEME": "", "LC_ALL": "C.UTF-8",
        ] {
            setenv(name, value, 1)
        }
        unsetenv("GTK_THEME")
    }
}
