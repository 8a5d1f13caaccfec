// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Synchronization

/// The critical warnings of GLib and GTK in this process, which fail the test that caused them.
///
/// GLib could end the process instead, and all tests after it. In a Swift process it does not: the handler of crashes
/// returns from its trap.
public enum CriticalWarnings {
    private static let texts = Mutex<[String]>([])

    /// Begins to collect them, once for the process.
    public static func collect() { _ = started }

    private static let started: Void = {
        g_log_set_writer_func(
            { level, fields, count, _ in
                if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0, let fields,
                    let text = g_log_writer_format_fields(level, fields, count, 0)
                {
                    CriticalWarnings.texts.withLock { $0.append(String(cString: text)) }
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
