// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The folders that contain the shared objects which the program loads itself.
public enum LibraryFolders {
    /// The folders to search in this process, from its environment and its executable.
    public static var standard: [String] {
        folders(
            override: getenv("TOUCHTONE_LIB_DIR").map { String(cString: $0) },
            executableFolder: executableFolder)
    }

    /// Returns the folders to search, in order: `override` is the value of `TOUCHTONE_LIB_DIR`.
    ///
    /// The library is beside the executable before the installation, then in `../lib/touchtone`, or in
    /// `../lib/TRIPLET/touchtone` on distributions that separate architectures.
    static func folders(override: String?, executableFolder: String?) -> [String] {
        var folders: [String] = []
        if let override, !override.isEmpty { folders.append(override) }
        if let executableFolder {
            let lib = executableFolder + "/../lib"
            folders += [executableFolder, lib + "/touchtone"]
            folders += subfolders(of: lib).map { "\(lib)/\($0)/touchtone" }.filter { access($0, X_OK) == 0 }
        }
        return folders
    }

    /// The folder of this process's executable, or nil if the system does not report it.
    static var executableFolder: String? {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = path.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink("/proc/self/exe", $0, room.count) } ?? -1
        }
        guard length > 0, let slash = path.prefix(length).lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path.prefix(slash), as: UTF8.self)
    }

    /// Returns the names in a folder, sorted so that two searches agree; empty if it cannot be read.
    private static func subfolders(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
