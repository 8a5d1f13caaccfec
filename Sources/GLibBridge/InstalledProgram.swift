// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

public enum InstalledProgram {
    /// The folder of this process's executable, or nil if the system does not report it.
    public static var folder: String? {
        guard let link = g_file_read_link("/proc/self/exe", nil) else { return nil }
        defer { g_free(link) }
        let own = String(cString: link)
        return own.lastIndex(of: "/").map { String(own[..<$0]) }
    }

    /// Returns the path of a program beside this one, or in the prefix's libexec or library folder; or nil.
    public static func path(of name: String) -> String? {
        guard let folder else { return nil }
        return ["", "../libexec/", "../libexec/touchtone/", "../lib/touchtone/"]
            .map { "\(folder)/\($0)\(name)" }.first { g_file_test($0, G_FILE_TEST_IS_EXECUTABLE) != 0 }
    }
}
