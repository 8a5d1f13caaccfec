// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The group of Preferences with the phone's place on the desktop: Do Not Disturb, running without a window, the start at
/// login, the status icon, media players, headsets and the shortcuts of the whole desktop.
@MainActor
final class DesktopGroup {
    static let keys = [
        DoNotDisturb.key, WindowClosing.key, "autostart", StatusIconController.key, CallEffects.key,
        "keep-call-text", "headset-keys", GlobalShortcuts.key,
    ]

    private let login: LoginStart?
    private let shortcuts: GlobalShortcuts?
    private let shortcutsRow: UnsafeMutablePointer<HdyActionRow>
    private let startRow, backgroundRow: UnsafeMutablePointer<HdyActionRow>
    private let startText, backgroundText: String

    /// - Parameter login: The start at login, whose problems the rows explain.
    init(
        _ builder: Builder, settings: Settings, login: LoginStart?, shortcuts: GlobalShortcuts?
    ) throws(GLibError) {
        (self.login, self.shortcuts) = (login, shortcuts)
        shortcutsRow = try builder.object("global-shortcuts-row")
        startRow = try builder.object("autostart-row")
        backgroundRow = try builder.object("run-in-background-row")
        (startText, backgroundText) = (Self.subtitle(of: startRow), Self.subtitle(of: backgroundRow))
        for key in Self.keys {
            settings.bind(key, to: try builder.object(key, as: GtkWidget.self), "active")
        }
        login?.onChange = { [weak self] in self?.show() }
        shortcuts?.onChange = { [weak self] in self?.showShortcuts() }
        show()
        showShortcuts()
        shortcuts?.look()
    }

    private func show() {
        for (row, problem, text) in [
            (startRow, login?.startProblem, startText),
            (backgroundRow, login?.backgroundProblem, backgroundText),
        ] {
            let text = problem.map(Self.text) ?? text
            hdy_action_row_set_subtitle(row, text)
            let widget: Widget = row.cast()
            widget.setAccessible(description: text)
        }
    }

    /// Shows the row of the shortcuts only where the desktop has them.
    private func showShortcuts() {
        let row: Widget = shortcutsRow.cast()
        row.isVisible = shortcuts?.isOffered == true
        guard let shortcuts else { return }
        hdy_action_row_set_subtitle(shortcutsRow, shortcuts.text)
        row.setAccessible(description: shortcuts.text)
    }

    private static func subtitle(of row: UnsafeMutablePointer<HdyActionRow>) -> String {
        hdy_action_row_get_subtitle(row).map { String(cString: $0) } ?? ""
    }

    private static func text(_ problem: LoginStart.Problem) -> String {
        switch problem {
        case .refused:
            localized(
                "The desktop does not allow this. Allow Touchtone to run in the background in the desktop’s settings, then try again."
            )
        case .failed(let reason):
            localized(
                "This could not be changed: {reason}. Solve the problem, then try again.", ["reason": reason])
        }
    }
}
