// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Synchronization

/// The critical warnings of GLib and GTK in this process, which fail the test that caused them.
///
/// GLib could end the process instead, and all tests after it. In a Swift process it does not: the handler of crashes
/// returns from its trap.
public enum CriticalWarnings {
    private static let texts = Mutex<[String]>([])
    /// A word that no line of the log may have, on any level; empty for none.
    private static let word = Mutex("")

    /// Takes each line of the log with that word for a critical warning from now on.
    public static func watch(for word: String) {
        collect()
        self.word.withLock { $0 = word }
    }

    /// Begins to collect them, once for the process.
    public static func collect() { _ = started }

    private static let started: Void = {
        g_log_set_writer_func(
            { level, fields, count, _ in
                let word = CriticalWarnings.word.withLock { $0 }
                let isCritical = level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0
                if isCritical || !word.isEmpty, let fields,
                    let text = g_log_writer_format_fields(level, fields, count, 0)
                {
                    let line = String(cString: text)
                    if isCritical || line.contains(word) {
                        CriticalWarnings.texts.withLock { $0.append(line) }
                    }
                    g_free(text)
                }
                return g_log_writer_default(level, fields, count, nil)
            }, nil, nil)
    }()

    /// Returns the ones since the last call, on any thread.
    public static func take() -> [String] {
        texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
