// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The callbacks of an engine, called on its own threads: they must not block.
struct AudioCallbacks: Sendable {
    let notice: @Sendable (ToneNotice) -> Void
    /// Receives lines for the debug log that explain late or missing sounds.
    let debug: @Sendable (String) -> Void
}
