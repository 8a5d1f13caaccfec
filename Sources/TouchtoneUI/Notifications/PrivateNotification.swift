// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The only notification of its kind while the phone is locked, which names nobody and quotes nothing.
@MainActor
final class PrivateNotification {
    let key: String
    private let text: String
    private let notifier: any Notifier
    private var isShown = false

    init(_ text: String, key: String, notifier: any Notifier) {
        (self.text, self.key, self.notifier) = (text, key, notifier)
    }

    /// Shows it, unless it is there: a second one would say the same.
    func show() {
        guard !isShown else { return }
        isShown = true
        notifier.show(.init(key: key, title: "Touchtone", body: text))
    }

    func withdraw() {
        if isShown { notifier.withdraw(key) }
        isShown = false
    }

    /// Notes that the user has dismissed it.
    func dismissed() { isShown = false }
}
