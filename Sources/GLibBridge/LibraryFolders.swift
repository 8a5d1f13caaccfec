// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The folders that contain the shared objects which the program loads itself.
public enum LibraryFolders {
    /// The folders to search in this process, from its environment and its executable.
    public static var standard: [String] {
        folders(
            override: getenv("TOUCHTONE_LIB_DIR").map { String(cString: $0) },
            executableFolder: InstalledProgram.folder)
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
            // Sorted, so that two searches agree.
            let names = Files.names(in: lib).filter { !$0.hasPrefix(".") }.sorted()
            folders += names.map { "\(lib)/\($0)/touchtone" }.filter { access($0, X_OK) == 0 }
        }
        return folders
    }
}
