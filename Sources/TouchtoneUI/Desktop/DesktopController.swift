// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The program, which the desktop shows and ends.
@MainActor
protocol DesktopOwner: AnyObject {
    func windowWillHide()
    func quietChanged(_ quiet: DoNotDisturb)
    /// Shows the window, with the activation token if the desktop provides one.
    func showWindow(token: String?)
    func quit()
}

/// The phone's place on the desktop beyond its window: closing it, the start at login, the status icon, the effects of
/// calls, and Do Not Disturb.
@MainActor
final class DesktopController {
    /// The start at login, whose problems Preferences show.
    let login: LoginStart
    private let settings: Settings
    private let quiet: DoNotDisturb
    private let closing: WindowClosing
    private let effects: CallEffects
    /// The shortcuts of the whole desktop, which Preferences show.
    let shortcuts: GlobalShortcuts
    private let makeIcon: @MainActor () -> StatusIconController
    private var icon: StatusIconController?
    private weak var owner: (any DesktopOwner)?
    private var sessionEnd: SessionEnd?

    init(
        _ dependencies: PhoneDependencies, window: UnsafeMutablePointer<GtkWindow>, resources: Resources,
        owner: any DesktopOwner
    ) {
        self.owner = owner
        settings = dependencies.settings
        let calls = dependencies.phone.calls
        closing = WindowClosing(window, settings: settings, calls: calls, owner: owner)
        effects = CallEffects(calls: calls, settings: settings)
        shortcuts = GlobalShortcuts(
            phone: dependencies.phone, settings: settings,
            portal: GlobalShortcutsPortal(application: Resources.applicationID))
        let quiet = DoNotDisturb(settings, hours: dependencies.quiet)
        self.quiet = quiet
        login = Self.makeLogin(settings)
        makeIcon = { [weak owner] in
            StatusIconController(dependencies, quiet: quiet, iconFolder: resources.iconFolder, owner: owner)
        }
        quiet.follow(by: self) { [weak quiet, weak owner] in
            guard let quiet else { return }
            calls.quietness = quiet.quietness
            owner?.quietChanged(quiet)
        }
    }

    /// Applies the start at login, shows the status icon, and follows the end of the session.
    func begin() {
        login.begin()
        shortcuts.begin()
        icon = makeIcon()
        sessionEnd = SessionEnd(id: Resources.applicationID) { [weak owner] in owner?.quit() }
    }

    func setQuiet(_ isOn: Bool) { quiet.set(isOn) }

    /// Removes the icon, and lets media players resume, before the program exits.
    func leave() {
        icon = nil
        effects.leave()
    }

    private static func makeLogin(_ settings: Settings) -> LoginStart {
        let argument = "--background"
        let portal = BackgroundPortal(command: ["touchtone", argument]) {
            localized("Touchtone waits for calls and messages.")
        }
        let file = AutostartFile(
            id: Resources.applicationID,
            entry: AutostartEntry(
                name: "Touchtone", icon: Resources.applicationID, program: Resources.executable,
                argument: argument))
        return LoginStart(
            settings: settings,
            keys: .init(start: "autostart", isApplied: "autostart-entry", background: WindowClosing.key),
            file: file, portal: BackgroundPortal.isNeeded ? portal : nil)
    }
}
