// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge

// The settings of objects that there may be several of.
extension Resources {
    /// Opens the settings of a line: its number format and prefix.
    ///
    /// - Parameter line: The line's id, of ASCII letters, digits, dashes and underscores.
    /// - Throws: `GLibError` if the installed schema is from an older version and lacks them.
    @MainActor
    public func lineSettings(_ line: String) throws(GLibError) -> Settings {
        try settings("Line", at: "lines/\(line)")
    }

    /// Opens the settings of a SIP account.
    ///
    /// - Parameter id: The account's id, of ASCII letters, digits, dashes and underscores.
    /// - Throws: `GLibError` if the installed schema is from an older version and lacks them.
    @MainActor
    public func accountSettings(_ id: String) throws(GLibError) -> Settings {
        try settings("SipAccount", at: "sip/\(id)")
    }

    /// Opens the settings of a Jabber account.
    ///
    /// - Parameter id: The account's id, of ASCII letters, digits, dashes and underscores.
    /// - Throws: `GLibError` if the installed schema is from an older version and lacks them.
    @MainActor
    public func jabberAccountSettings(_ id: String) throws(GLibError) -> Settings {
        try settings("JabberAccount", at: "jabber/\(id)")
    }

    @MainActor
    private func settings(_ schema: String, at path: String) throws(GLibError) -> Settings {
        try Settings(
            schema: "\(Resources.applicationID).\(schema)", path: "/io/github/touchtone/Touchtone/\(path)/",
            folders: schemaFolders)
    }
}
