// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What the panel asks of the program around it.
@MainActor
struct PanelOutside {
    /// Opens a link of a message, which somebody has clicked.
    let open: @MainActor (TextLink) -> Void
    /// Opens Preferences where the account is.
    let openAccount: @MainActor () -> Void
}
