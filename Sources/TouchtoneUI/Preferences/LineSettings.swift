// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The settings of each line: its number format and prefix.
@MainActor
public enum LineSettings {
    /// Opens the settings of a line.
    ///
    /// - Parameter line: The line's id, of ASCII letters, digits and dashes.
    /// - Throws: `GLibError` if the installed schema is from an older version and lacks the line settings.
    public static func open(_ line: String, resources: Resources) throws(GLibError) -> Settings {
        try Settings(
            schema: PhoneApplication.id + ".Line", path: "/io/github/touchtone/Touchtone/lines/\(line)/",
            folders: resources.schemaFolders)
    }

    /// Returns the dial rules that the settings contain.
    ///
    /// - Parameter format: The number formatter, as for `DialRules.init`.
    public static func rules(
        _ settings: Settings, format: @escaping (String, DialRules.Form) -> String?
    ) -> DialRules {
        DialRules(prefix: settings[text: "prefix"], formNamed: settings[text: "form"], format: format)
    }

    static let keys = ["prefix", "form"]
}
