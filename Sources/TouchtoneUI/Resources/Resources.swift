// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The app's data files: layouts, styles, tones and the settings schema.
public struct Resources: Sendable {
    /// The application id, which is also the bus name, the desktop entry’s name and the settings schema.
    public static let applicationID = "io.github.touchtone.Touchtone"

    /// The folder that contains `ui/`, `style/` and `tones/`.
    public let folder: String

    /// Finds the data folder, which contains the window's layout.
    ///
    /// Searches `$TOUCHTONE_DATA_DIR`, then relative to the executable (installed: `../share/touchtone`; built
    /// in the checkout: its `data/`), then the system's data folders.
    public static func find() -> Resources? {
        let candidates = [environment("TOUCHTONE_DATA_DIR")] + besideExecutable() + systemFolders()
        return candidates.compactMap { $0 }.first { isFile("\($0)/ui/window.ui") }.map {
            Resources(folder: $0)
        }
    }

    public init(folder: String) {
        self.folder = folder
    }

    func layout(_ name: String) -> String { "\(folder)/ui/\(name).ui" }

    var firstFrameTheme: String { "\(folder)/style/first-frame.gresource" }

    func style(_ name: String) -> String { "\(folder)/style/\(name).css" }

    /// The folders that may have the compiled schema: the checkout's, and that of an installation prefix.
    public var schemaFolders: [String] { [folder, "\(folder)/../glib-2.0/schemas"] }

    /// The folder of the translation catalogues, in the checkout or under the prefix of an installation.
    public var localeFolder: String {
        Self.isFolder("\(folder)/locale") ? "\(folder)/locale" : "\(folder)/../locale"
    }

    /// The folder of the icon theme, in the checkout or under the prefix of an installation; empty if there is none.
    var iconFolder: String { ["\(folder)/icons", "\(folder)/../icons"].first(where: Self.isFolder) ?? "" }

    static var executable: String {
        guard let link = g_file_read_link("/proc/self/exe", nil) else { return "touchtone" }
        defer { g_free(link) }
        return String(cString: link)
    }

    /// Returns the folder of a tone set, the user's if it exists or ours does not; nil for no plain name.
    public func toneSet(_ name: String) -> String? {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return nil }
        let own = g_get_user_data_dir().map { "\(String(cString: $0))/touchtone/tones/\(name)" }
        let ours = "\(folder)/tones/\(name)"
        return Self.isFolder(ours) && own.map(Self.isFolder) != true ? ours : own
    }

    /// The names of the available tone sets, sorted.
    var toneSets: [String] {
        let own = g_get_user_data_dir().map { Self.names(in: "\(String(cString: $0))/touchtone/tones") } ?? []
        return Set(own + Self.names(in: "\(folder)/tones")).filter { toneSet($0).map(Self.isFolder) == true }
            .sorted()
    }

    /// Returns the built-in greeting of the answering machine for the first language that has one, or the English one.
    ///
    /// - Parameter languages: Names such as `de_DE.UTF-8`, in the order of preference.
    public func greeting(languages: [String]) -> String? {
        let names = languages.map { String($0.prefix { $0.isLetter }).lowercased() } + ["en"]
        return names.lazy.map { "\(folder)/greetings/\($0).opus" }.first(where: Self.isFile)
    }

    /// The table of emoticons that are shown as emoji; empty if the file is missing or invalid.
    var emoticons: Emoticons {
        Self.content(of: "\(folder)/emoticons/western.table").flatMap { try? Emoticons($0) } ?? .none
    }

    private static func besideExecutable() -> [String] {
        var folders: [String] = []
        // In a checkout, the executable is in .build/TRIPLE/debug, and a test bundle one or two levels deeper.
        var parent = executable
        for level in 0..<6 {
            guard let cut = parent.lastIndex(of: "/"), cut != parent.startIndex else { break }
            parent = String(parent[..<cut])
            if level < 2 { folders.append("\(parent)/share/touchtone") }
            if isFile("\(parent)/Package.swift") { folders.append("\(parent)/data") }
        }
        return folders
    }

    private static func systemFolders() -> [String] {
        var folders: [String] = []
        guard var next = g_get_system_data_dirs() else { return folders }
        while let folder = next.pointee {
            folders.append(String(cString: folder) + "/touchtone")
            next += 1
        }
        return folders
    }

    private static func environment(_ name: String) -> String? {
        g_getenv(name).map { String(cString: $0) }
    }

    /// Returns the names of the files in a folder; empty if there is no such folder.
    static func names(in folder: String) -> [String] {
        guard let list = g_dir_open(folder, 0, nil) else { return [] }
        defer { g_dir_close(list) }
        var names: [String] = []
        while let name = g_dir_read_name(list) { names.append(String(cString: name)) }
        return names
    }

    /// Returns the content of a file; nil if it cannot be read.
    static func content(of file: String) -> [UInt8]? {
        var (bytes, count): (UnsafeMutablePointer<CChar>?, gsize) = (nil, 0)
        guard g_file_get_contents(file, &bytes, &count, nil) != 0, let bytes else { return nil }
        defer { g_free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    private static func isFile(_ path: String) -> Bool { g_file_test(path, G_FILE_TEST_IS_REGULAR) != 0 }

    private static func isFolder(_ path: String) -> Bool { g_file_test(path, G_FILE_TEST_IS_DIR) != 0 }
}
