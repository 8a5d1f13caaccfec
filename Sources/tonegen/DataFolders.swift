// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc

/// The folders that may hold the phone's data files.
enum DataFolders {
    /// The possible folders, in the order in which the phone searches them.
    static var all: [String] {
        var folders = [variable("TOUCHTONE_DATA_DIR")].compactMap { $0 }
        // In a checkout, the executable is in .build/TRIPLE/debug.
        var parent = InstalledProgram.folder ?? ""
        for level in 0..<6 where !parent.isEmpty {
            if level < 2 { folders.append("\(parent)/share/touchtone") }
            if access("\(parent)/Package.swift", F_OK) == 0 { folders.append("\(parent)/data") }
            parent = String(parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)])
        }
        let system = variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        return folders + system.split(separator: ":").map { "\($0)/touchtone" }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder of the translation catalogues, beside the tone plans in a checkout, or under the prefix.
    static var locale: String? {
        guard let data = all.first(where: { access("\($0)/tone-plans", F_OK) == 0 }) else { return nil }
        return access("\(data)/locale", F_OK) == 0 ? "\(data)/locale" : "\(data)/../locale"
    }
}
