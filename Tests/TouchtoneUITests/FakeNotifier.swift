// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

@testable import TouchtoneUI

/// Keeps what is shown, and does what a test's user does.
@MainActor
final class FakeNotifier: Notifier {
    var onOpen: (@MainActor (String, String?) -> Void)?
    var onAction: (@MainActor (String, String, String?) -> Void)?
    var onReply: (@MainActor (String, String) -> Void)?
    private(set) var shown: [String: DesktopNotifications.Note] = [:]

    func show(_ note: DesktopNotifications.Note) { shown[note.key] = note }
    func withdraw(_ key: String) { shown[key] = nil }
}
