// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

@testable import TouchtoneUI

/// A notifier that records notifications and simulates the user's actions.
@MainActor
final class FakeNotifier: Notifier {
    var onOpen: (@MainActor (String, String?) -> Void)?
    var onAction: (@MainActor (String, String, String?) -> Void)?
    var onReply: (@MainActor (String, String) -> Void)?
    var onDismiss: (@MainActor (String) -> Void)?
    private(set) var shown: [String: DesktopNotifications.Note] = [:]
    /// The number of notifications sent.
    private(set) var count = 0

    func show(_ note: DesktopNotifications.Note) {
        count += 1
        shown[note.key] = note
    }
    func withdraw(_ key: String) { shown[key] = nil }

    /// Dismisses a notification as the user does.
    func dismiss(_ key: String) {
        shown[key] = nil
        onDismiss?(key)
    }
}
