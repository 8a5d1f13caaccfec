// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The window that says why the encrypted messages cannot be opened, and asks what to do.
///
/// Until the user decides, the store waits, and nothing of its file changes; calls work meanwhile. Closing the window
/// decides nothing: it comes back when the program is activated.
@MainActor
final class StoreKeyQuestion {
    private let protection: StoreProtection
    private let lock: Lock
    private let parent: UnsafeMutablePointer<GtkWindow>
    /// Prepares the theme of a window that may be the first one.
    private let prepare: @MainActor () -> Void
    private let quit: @MainActor () -> Void
    private(set) var alert: AlertWindow?
    /// The problem or the path that the window shows.
    private var shown: Subject?

    private enum Subject: Hashable {
        case problem(StoreKeyProblem)
        case setAside(String)
    }

    private static let goOn = 1

    init(
        _ protection: StoreProtection, lock: Lock, over parent: UnsafeMutablePointer<GtkWindow>,
        prepare: @escaping @MainActor () -> Void, quit: @escaping @MainActor () -> Void
    ) {
        (self.protection, self.lock, self.parent) = (protection, lock, parent)
        (self.prepare, self.quit) = (prepare, quit)
        protection.observe(by: self) { [weak self] in self?.show() }
        lock.observe(by: self) { [weak self] in self?.showLock() }
    }

    private var subject: Subject? {
        protection.problem.map { .problem($0) } ?? protection.setAside.map { .setAside($0) }
    }

    private func show() {
        guard subject != shown else { return }
        close()
        present()
    }

    /// Shows the question, also if the user has closed its window.
    func present() {
        guard let subject else { return }
        if alert == nil { build(subject) }
        if let alert { gtk_window_present(alert.window.cast()) }
    }

    private func close() {
        shown = nil
        if let alert { gtk_widget_destroy(alert.window) }
    }

    private func build(_ subject: Subject) {
        prepare()
        let alert: AlertWindow
        switch subject {
        case .problem(let problem):
            alert = AlertWindow(
                title: localized("Your messages can’t be opened"), text: text(of: problem),
                choices: [
                    .init(label: localized("Try Again")) { [weak self] in self?.decide(.tryAgain) },
                    .init(label: localized("Go On Without Them")) { [weak self] in
                        self?.decide(.goOnWithout)
                    },
                    .init(label: localized("Quit"), act: quit),
                ])
        case .setAside(let path):
            alert = AlertWindow(
                title: localized("Your messages are kept"),
                text: localized(
                    "The encrypted messages are now in “{name}”. To bring them back once you have their key, quit Touchtone and rename that file to messages.db.",
                    ["name": path]),
                choices: [
                    .init(label: localizedIn("verb", "Close")) { [weak self] in
                        self?.protection.dismissSetAside()
                    }
                ])
        }
        (self.alert, shown) = (alert, subject)
        let window: UnsafeMutablePointer<GtkWindow> = alert.window.cast()
        gtk_window_set_transient_for(window, parent)
        gtk_window_set_application(window, gtk_window_get_application(parent))
        Signal.connect(alert.window, "destroy") { [weak self] in
            if self?.alert?.window == alert.window { self?.alert = nil }
        }
        showLock()
    }

    private func decide(_ decision: StoreKeyDecision) { protection.decide(decision) }

    /// Leaves what changes something to somebody who has unlocked the phone.
    private func showLock() {
        guard let alert, case .problem(let problem) = shown else { return }
        alert.setPossible(!lock.isLocked, at: Self.goOn)
        alert.show(text(of: problem))
    }

    private func text(of problem: StoreKeyProblem) -> String {
        [
            problem.text,
            localized("Nothing is lost, and you can make and take calls."),
            lock.isLocked
                ? localized("To go on without them, unlock the phone first.")
                : localized(
                    "Without them, you begin with no messages, calls and contacts, and without encryption. The file is kept under another name."
                ),
        ].joined(separator: "\n\n")
    }
}

extension StoreKeyProblem {
    /// Says why the stored messages cannot be opened.
    fileprivate var text: String {
        switch self {
        case .noKeyring:
            localized(
                "Your messages, calls and contacts on this computer are encrypted, and there is no keyring that has their key."
            )
        case .keyringRefused(let reason):
            localized(
                "Your messages, calls and contacts on this computer are encrypted, and the keyring has not given their key: {reason}",
                ["reason": reason])
        case .missing:
            localized(
                "Your messages, calls and contacts on this computer are encrypted, and your keyring does not have their key. It was removed, or they come from another computer."
            )
        case .wrong:
            localized(
                "Your messages, calls and contacts on this computer are encrypted, and what your keyring has is not their key."
            )
        case .noLibrary:
            localized(
                "Your messages, calls and contacts on this computer are encrypted, and SQLCipher 4.5 or later, which opens them, is not installed."
            )
        }
    }
}
