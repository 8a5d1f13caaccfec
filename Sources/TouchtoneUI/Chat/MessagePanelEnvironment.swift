// SPDX-License-Identifier: GPL-3.0-or-later

package import TouchtoneCore

/// What the panel asks of the program around it.
@MainActor
package struct MessagePanelEnvironment {
    /// Opens a link of a message, which somebody has clicked.
    let open: @MainActor (TextLink) -> Void
    /// Opens Preferences where the account is.
    let openAccount: @MainActor () -> Void

    /// - Parameters:
    ///   - open: opens a link.
    ///   - openAccount: opens Preferences.
    package init(open: @escaping @MainActor (TextLink) -> Void, openAccount: @escaping @MainActor () -> Void)
    {
        (self.open, self.openAccount) = (open, openAccount)
    }
}
