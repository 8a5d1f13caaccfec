// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The settings that each line has of its own: how numbers are written on it.
@MainActor
public enum LineSettings {
    /// The settings of a line.
    ///
    /// - Parameter line: its id, of ASCII letters, digits and dashes.
    /// - Throws: `GLibError` where the schema that is installed is of an older version.
    public static func open(_ line: String, resources: Resources) throws(GLibError) -> Settings {
        try Settings(
            schema: PhoneApplication.id + ".Line", path: "/io/github/touchtone/Touchtone/lines/\(line)/",
            folders: resources.schemaFolders)
    }

    /// The rules that they hold.
    ///
    /// - Parameter format: as for `DialRules.init`.
    public static func rules(
        _ settings: Settings, format: @escaping (String, DialRules.Form) -> String?
    ) -> DialRules {
        DialRules(prefix: settings[text: "prefix"], formNamed: settings[text: "form"], format: format)
    }

    static let keys = ["prefix", "form"]
}
