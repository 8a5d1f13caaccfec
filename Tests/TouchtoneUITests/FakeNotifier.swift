// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

@testable import TouchtoneUI

/// Keeps what is shown, and does what a test's user does.
@MainActor
final class FakeNotifier: Notifier {
    var onOpen: (@MainActor (String, String?) -> Void)?
    var onAction: (@MainActor (String, String, String?) -> Void)?
    var onReply: (@MainActor (String, String) -> Void)?
    var onDismiss: (@MainActor (String) -> Void)?
    private(set) var shown: [String: DesktopNotifications.Note] = [:]
    /// How many notifications were sent.
    private(set) var count = 0

    func show(_ note: DesktopNotifications.Note) {
        count += 1
        shown[note.key] = note
    }
    func withdraw(_ key: String) { shown[key] = nil }

    /// Dismisses a notification, as its user does.
    func dismiss(_ key: String) {
        shown[key] = nil
        onDismiss?(key)
    }
}
