// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// The debug log: GLib's log of the domain `touchtone`, which is written if `G_MESSAGES_DEBUG` enables it.
public enum DebugLog {
    private static let domain = "touchtone"

    /// Writes a line, on any thread; it blocks while a slow terminal accepts the text.
    public static func write(_ message: String) {
        let priority = "7"  // LOG_DEBUG of syslog(3), for the journal
        withField("MESSAGE", DirectionControls.contained(message)) { message in
            withField("GLIB_DOMAIN", domain) { domain in
                withField("PRIORITY", priority) { priority in
                    let fields = [message, domain, priority]
                    g_log_structured_array(G_LOG_LEVEL_DEBUG, fields, gsize(fields.count))
                }
            }
        }
    }

    private static func withField(_ key: String, _ value: String, _ body: (GLogField) -> Void) {
        key.withCString { key in
            value.withCString { value in body(GLogField(key: key, value: value, length: -1)) }
        }
    }
}
