// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

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
    private let makeIcon: @MainActor () -> StatusIconController
    private var icon: StatusIconController?
    private let quit: @MainActor () -> Void
    private var sessionEnd: SessionEnd?

    /// The callbacks into the application.
    struct Environment {
        /// Called before the window is hidden.
        let willHide: @MainActor () -> Void
        /// Called when Do Not Disturb may have changed, with whether it is on and whether the user has chosen it.
        let quietChanged: @MainActor (Bool, Bool) -> Void
        /// Shows the window, with an activation token if the desktop provides one.
        let show: @MainActor (String?) -> Void
        /// Ends the program.
        let quit: @MainActor () -> Void
    }

    init(
        _ dependencies: PhoneDependencies, window: PhoneWindow, resources: Resources,
        environment: Environment
    ) {
        settings = dependencies.settings
        let calls = dependencies.phone.calls
        closing = WindowClosing(
            window.window, settings: settings, calls: calls, willHide: environment.willHide,
            quit: environment.quit)
        quit = environment.quit
        effects = CallEffects(calls: calls, settings: settings)
        let quiet = DoNotDisturb(settings)
        self.quiet = quiet
        login = Self.makeLogin(settings)
        makeIcon = {
            StatusIconController(
                dependencies, quiet: quiet, iconFolder: resources.iconFolder,
                actions: .init(show: environment.show, quit: environment.quit))
        }
        quiet.follow(by: self) { [weak quiet] in
            guard let quiet else { return }
            calls.isQuiet = quiet.isOn
            environment.quietChanged(quiet.isOn, quiet.isChosen)
        }
    }

    /// Applies the start at login, shows the status icon, and follows the end of the session.
    func begin() {
        login.begin()
        icon = makeIcon()
        sessionEnd = SessionEnd(id: Resources.applicationID, ended: quit)
    }

    /// Sets the user's choice of Do Not Disturb.
    func setQuiet(_ isOn: Bool) { quiet.isChosen = isOn }

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
