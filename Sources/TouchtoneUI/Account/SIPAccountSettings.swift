// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge

/// The settings of each SIP account.
@MainActor
public enum SIPAccountSettings {
    /// Opens the settings of an account.
    ///
    /// - Parameter id: The account's id, of ASCII letters, digits, dashes and underscores.
    /// - Throws: `GLibError` if the installed schema is from an older version and lacks them.
    public static func open(_ id: String, resources: Resources) throws(GLibError) -> Settings {
        try Settings(
            schema: PhoneApplication.id + ".SipAccount", path: "/io/github/touchtone/Touchtone/sip/\(id)/",
            folders: resources.schemaFolders)
    }
}
