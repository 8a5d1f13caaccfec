// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

public enum InstalledProgram {
    /// Returns the path of a program beside this one, or in the libexec or library folder of its prefix; nil if it is missing.
    public static func path(of name: String) -> String? {
        guard let link = g_file_read_link("/proc/self/exe", nil) else { return nil }
        defer { g_free(link) }
        let own = String(cString: link)
        guard let end = own.lastIndex(of: "/") else { return nil }
        return ["", "../libexec/", "../libexec/touchtone/", "../lib/touchtone/"]
            .map { "\(own[..<end])/\($0)\(name)" }
            .first { g_file_test($0, G_FILE_TEST_IS_EXECUTABLE) != 0 }
    }
}
