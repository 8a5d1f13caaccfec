// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// The program's folders in the user's home (XDG Base Directory 0.8).
public struct UserFolders: Hashable, Sendable {
    /// The folder for data that the user would miss: `$XDG_DATA_HOME/touchtone`.
    public let data: String
    /// The folder for state that persists between runs: `$XDG_STATE_HOME/touchtone`.
    public let state: String
    /// The folder for data that can be created again: `$XDG_CACHE_HOME/touchtone`.
    public let cache: String
    let home: String

    public static var standard: UserFolders {
        UserFolders(home: String(cString: g_get_home_dir())) { name in
            g_getenv(name).map { String(cString: $0) }
        }
    }

    /// Creates the folders from a home and an environment, in which relative paths are ignored.
    init(home: String, environment: (String) -> String?) {
        func folder(_ variable: String, _ usual: String) -> String {
            let named = environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (named ?? "\(home)/\(usual)") + "/touchtone"
        }
        self.home = home
        data = folder("XDG_DATA_HOME", ".local/share")
        state = folder("XDG_STATE_HOME", ".local/state")
        cache = folder("XDG_CACHE_HOME", ".cache")
    }

    /// Returns a path as shown to the user, with `~` for the home.
    func shown(_ path: String) -> String {
        path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }
}
