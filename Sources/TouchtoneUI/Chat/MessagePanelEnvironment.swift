// SPDX-License-Identifier: GPL-3.0-or-later

package import TouchtoneCore

/// The functions of the app that the message panel uses.
@MainActor
package struct MessagePanelEnvironment {
    /// Opens a link in a message that the user clicked.
    let open: @MainActor (TextLink) -> Void
    /// Opens the account settings in Preferences.
    let openAccount: @MainActor () -> Void

    /// - Parameters:
    ///   - open: Opens a link.
    ///   - openAccount: Opens the account settings in Preferences.
    package init(open: @escaping @MainActor (TextLink) -> Void, openAccount: @escaping @MainActor () -> Void)
    {
        (self.open, self.openAccount) = (open, openAccount)
    }
}
