// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The folders that hold the shared objects which the program loads by itself.
public enum LibraryFolders {
    /// The folders to search in this process, by its environment and its executable.
    public static var standard: [String] {
        folders(
            override: getenv("TOUCHTONE_LIB_DIR").map { String(cString: $0) },
            executableFolder: executableFolder)
    }

    /// The folders to search, the first place first.
    ///
    /// - Parameters:
    ///   - override: the value of `TOUCHTONE_LIB_DIR`, which comes before all others.
    ///   - executableFolder: where the program is: beside it is the library of an uninstalled build, in
    ///     `../lib/touchtone` an installed one, or in `../lib/TRIPLET/touchtone` where distributions keep
    ///     architectures apart.
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

    /// Where this process's executable is; nil when the system does not say.
    static var executableFolder: String? {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = path.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink("/proc/self/exe", $0, room.count) } ?? -1
        }
        guard length > 0, let slash = path.prefix(length).lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path.prefix(slash), as: UTF8.self)
    }

    /// The names in a folder in their order, so that two searches find the same; none when it can't be read.
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
