// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The callbacks of an engine.
///
/// It calls them on its own threads, so they must not block.
struct AudioCallbacks: Sendable {
    /// Receives each notice for the user once.
    let notice: @Sendable (ToneNotice) -> Void
    /// Receives lines for the debug log that explain late or missing sounds.
    let debug: @Sendable (String) -> Void
}
