// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Whom an engine tells of what happens; it calls from its own threads, which must not be held up.
struct AudioReports: Sendable {
    /// Told what the user should know, each once.
    let notice: @Sendable (ToneNotice) -> Void
    /// Told what helps to find out why a sound is late or missing: a line for the debug log.
    let debug: @Sendable (String) -> Void
}
