// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import Glibc
internal import TouchtoneCore

/// The examination of a file that the user or another program named; it may block.
enum FileInspection {
    static func result(_ path: String) -> Result<LocalFile, FileProblem> {
        var status = stat()
        guard stat(path, &status) == 0 else { return .failure(problem(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return .failure(.folder)
        default: return .failure(.special)
        }
        guard status.st_size > 0 else { return .failure(.empty) }
        // The path may name a pipe by now, whose writer must not be waited for.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(problem(errno)) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(.special)
        }
        var beginning = [UInt8](repeating: 0, count: 4096)
        let count = beginning.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return .failure(.unreadable) }
        let (mediaType, isProgram) = kind(of: path, beginning.prefix(count))
        return .success(
            LocalFile(
                path: path, size: Int64(status.st_size), mediaType: mediaType, isProgram: isProgram))
    }

    private static func problem(_ number: Int32) -> FileProblem {
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: .missing
        default: .unreadable
        }
    }

    /// The types of files that run when they are opened, or that name what to run.
    private static let programs = [
        "application/x-executable", "application/x-sharedlib", "application/x-desktop",
        "application/x-shellscript", "application/x-perl", "application/x-ruby", "application/x-php",
        "text/x-python", "text/x-python3", "application/x-java-archive", "application/java-archive",
        "application/x-java-jnlp-file", "application/vnd.appimage", "application/x-iso9660-appimage",
        "application/x-ms-dos-executable", "application/x-msdownload",
        "application/vnd.microsoft.portable-executable", "application/x-msi", "application/x-ms-shortcut",
        "application/x-bat", "application/vnd.flatpak", "application/vnd.flatpak.ref",
        "application/vnd.flatpak.repo", "application/vnd.debian.binary-package", "application/x-rpm",
        "application/vnd.snap", "application/x-mswinurl", "application/x-gnome-saved-search",
    ]
    private static let endings = [
        ".desktop", ".sh", ".run", ".appimage", ".exe", ".msi", ".bat", ".cmd", ".com", ".scr", ".lnk",
        ".ps1",
        ".vbs", ".jar", ".jnlp", ".py", ".pl", ".rb", ".deb", ".rpm", ".flatpakref", ".snap", ".url",
        ".service", ".directory",
    ]

    private static func kind(of path: String, _ beginning: ArraySlice<UInt8>) -> (String, Bool) {
        let name = LocalFile.name(of: path)
        let type = beginning.withUnsafeBufferPointer {
            g_content_type_guess(name, $0.baseAddress, gsize($0.count), nil)
        }
        defer { g_free(type) }
        let mediaType = type.flatMap { g_content_type_get_mime_type($0) }
        defer { g_free(mediaType) }
        let lowered = name.lowercased()
        let isProgram =
            programs.contains { g_content_type_is_a(type, $0) != 0 }
            || endings.contains(where: lowered.hasSuffix)
        return (mediaType.map { String(cString: $0) } ?? "application/octet-stream", isProgram)
    }
}
