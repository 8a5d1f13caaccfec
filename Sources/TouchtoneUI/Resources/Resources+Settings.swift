// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge

// The settings of objects that there may be several of. Their ids have ASCII letters, digits, dashes and
// underscores. An error means that the installed schema is from an older version and lacks them.
extension Resources {
    /// Opens the settings of a line: its number format and prefix.
    @MainActor
    public func lineSettings(_ line: String) throws(GLibError) -> Settings {
        try settings("Line", at: "lines/\(line)")
    }

    @MainActor
    public func accountSettings(_ id: String) throws(GLibError) -> Settings {
        try settings("SipAccount", at: "sip/\(id)")
    }

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
