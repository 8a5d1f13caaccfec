// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
import TouchtoneCore

/// The app on the desktop: a single instance with one window, which exports its actions on the session bus.
@MainActor
public final class PhoneApplication {
    let application: GObjectRef
    private let resources: Resources
    private let version: String
    private let makeDependencies: @MainActor () throws(GLibError) -> PhoneDependencies
    private(set) var dependencies: PhoneDependencies?
    private var window: PhoneWindow?
    private var style: Style?
    private var preferences: Preferences?
    private var triggers: LockTriggers?
    private var messages: MessagingController?
    private var attention: CallAlertController?
    private(set) var desktop: DesktopController?
    private var question: StoreKeyQuestion?
    private var objects: BusObjects?
    private var reporter: Reporter?
    private var isDrawn = false
    private var hasBegun = false
    /// Whether the next activation starts the program without its window.
    private var startsInBackground = false
    /// The last action that was requested while the phone was locked, to run after it is unlocked.
    private var waiting: (@MainActor (Phone) -> Void)?
    private var failure: GLibError?

    /// `makeDependencies` is called once, in the first instance; later ones only pass their links to it.
    public init(
        resources: Resources, version: String,
        makeDependencies: @escaping @MainActor () throws(GLibError) -> PhoneDependencies
    ) {
        (self.resources, self.version, self.makeDependencies) = (resources, version, makeDependencies)
        application = GObjectRef(
            taking: UnsafeMutableRawPointer(
                gtk_application_new(Resources.applicationID, G_APPLICATION_HANDLES_OPEN)))
        watch()
        addActions()
    }

    /// Runs the app until it is asked to end; throws if the window cannot be built.
    ///
    /// `arguments` are the program's name and links to open. `isInBackground` starts without a window, and
    /// does nothing if the app already runs.
    public func run(arguments: [String], isInBackground: Bool = false) throws(GLibError) -> Int32 {
        MainLoop.attachMainActor()
        if isInBackground {
            // The instance that already runs would show its window.
            guard !Self.isRunning else { return 0 }
            startsInBackground = true
        }
        EndSignals.watch { [application] in g_application_quit(application.cast()) }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) } + [nil]
        defer { argv.forEach { g_free($0) } }
        let status = g_application_run(application.cast(), gint(arguments.count), &argv)
        if let failure { throw failure }
        return status
    }

    private static var isRunning: Bool {
        let bus = try? DBusConnection.connectAndWait(to: .session)
        let answer = try? bus?.callAndWait(
            .bus, "NameHasOwner", [.string(Resources.applicationID)], milliseconds: 2000)
        return answer?[0]?.bool ?? false
    }

    private func watch() {
        Signal.connect(application.object, "startup") { [weak self] in self?.start() }
        Signal.connect(application.object, "activate") { [weak self] in self?.activate() }
        Signal.connectOpen(application.object) { [weak self] in self?.open($0) }
        Signal.connect(application.object, "shutdown") { [weak self] in self?.leave() }
    }

    private func activate() {
        if startsInBackground {
            startsInBackground = false
            begin()
        } else {
            window?.present()
            question?.present()
        }
    }

    private func start() {
        do throws(GLibError) {
            let dependencies = try makeDependencies()
            // In the background, a call may be the first thing that the window shows.
            style = try Style(
                resources: resources, isComplete: startsInBackground || dependencies.lock.isLocked)
            let window = try PhoneWindow(dependencies, resources: resources) { [weak self] in
                self?.showPreferences(page: PreferencesPageName.messages.rawValue, startsAccount: true)
            }
            Signal.connectDraw(window.window) { [weak self] _ in self?.windowDrawn() }
            gtk_window_set_application(window.window, application.cast())
            (self.dependencies, self.window) = (dependencies, window)
            setShortcuts()
            messages = MessagingController(dependencies, window: window)
            let triggers = LockTriggers(
                lock: dependencies.lock, settings: dependencies.settings, clock: BootTimeScheduler())
            self.triggers = triggers
            attention = CallAlertController(
                phone: dependencies.phone, lock: dependencies.lock, window: window, triggers: triggers,
                machine: dependencies.directory.machine)
            desktop = DesktopController(
                dependencies, window: window.window, resources: resources, owner: self)
            let reporter = Reporter(dependencies, version: version)
            self.reporter = reporter
            objects = BusObjects(
                dependencies, reporter: reporter, receiver: self, on: DBusConnection.of(application))
            question = dependencies.protection.map { protection in
                StoreKeyQuestion(
                    protection, lock: dependencies.lock, over: window.window,
                    prepare: { [weak self] in self?.dressTheme() }, quit: { [weak self] in self?.quit() })
            }
            followMachine(dependencies.directory.machine)
            followDiversion()
            window.quiet.onEnd = { [weak self] in self?.desktop?.setQuiet(false) }
            dependencies.lock.observe(by: self) { [weak self] in self?.lockChanged() }
            DBusConnection.watchEnd(of: application) { [weak self] in self?.window?.showBusEnded() }
        } catch {
            failure = error
            g_application_quit(application.cast())
        }
    }

    private func windowDrawn() {
        guard !isDrawn else { return }
        isDrawn = true
        begin()
        MainLoop.afterFrame { [weak self] in self?.dressTheme() }
    }

    /// Starts what the first frame must not wait for; later calls do nothing.
    ///
    /// In a window, this is called while the first frame is drawn. The main loop is idle before, while the X server
    /// shows the window, so that an idle handler alone would run too early.
    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        // The window is gone if the program is ending. The servers take the longest to answer, so sign in first.
        MainLoop.soon { [weak self] in
            if let self, window != nil { messages?.begin() }
        }
        MainLoop.afterFrame { [weak self] in
            guard let self, window != nil else { return }
            dependencies?.directory.begin()
            desktop?.begin()
        }
    }

    private func dressTheme() {
        do throws(GLibError) {
            try style?.dressTheme()
        } catch {
            failure = error
            g_application_quit(application.cast())
        }
    }

    /// Closes the window at once, then waits briefly for drafts to be saved and the account to sign out.
    private func leave() {
        dependencies?.phone.calls.hangUpAll()
        attention?.leave()
        dependencies?.phone.setReady(false)
        // Stop updating the panel, because changes from here on would reach destroyed widgets.
        window?.panel.side.close()
        window = nil
        while let last = gtk_application_get_windows(application.cast())?.pointee.data {
            gtk_widget_destroy(last.assumingMemoryBound(to: GtkWidget.self))
        }
        messages?.leave()
        desktop?.leave()
    }

    /// Opens the first link, which only fills in fields: the user decides what is dialled or sent.
    private func open(_ links: [String]) {
        window?.present()
        guard let link = links.first else { return }
        whenOpen { [weak self] _ in self?.window?.panel.open(link: link) }
    }

    /// Runs an action on the phone, now or after it is unlocked.
    func whenOpen(_ action: @escaping @MainActor (Phone) -> Void) {
        guard let dependencies else { return }
        if dependencies.lock.isLocked { waiting = action } else { action(dependencies.phone) }
    }

    private func lockChanged() {
        guard let dependencies else { return }
        let isOpen = !dependencies.lock.isLocked
        setActionsEnabled(isOpen)
        // Close Preferences, which show personal data and are not covered by the lock screen.
        if !isOpen { preferences?.close() }
        guard isOpen, let action = waiting else { return }
        waiting = nil
        action(dependencies.phone)
    }

    /// Opens Preferences at a page; an unknown name, which may come from the bus, is ignored.
    func showPreferences(page name: String? = nil, startsAccount: Bool = false) {
        guard let window, let dependencies else { return }
        window.present()
        dressTheme()
        let preferences = self.preferences ?? makePreferences(dependencies, pad: window.pad)
        self.preferences = preferences
        preferences.show(
            name.flatMap(PreferencesPageName.init), over: window.window, startsAccount: startsAccount)
    }

    func setUpAccounts(at address: String) {
        guard let window else { return }
        showPreferences(page: PreferencesPageName.lines.rawValue)
        preferences?.setUpAccounts(at: address, over: window.window)
    }

    private func makePreferences(_ dependencies: PhoneDependencies, pad: NumberPad) -> Preferences {
        Preferences(
            PreferencesDependencies(
                resources: resources, settings: dependencies.settings,
                pad: pad, version: version,
                devices: dependencies.devices, sounds: dependencies.sounds,
                microphone: dependencies.microphone,
                regions: dependencies.regions, passcode: dependencies.lock,
                protection: dependencies.protection,
                lines: dependencies.lines, phone: dependencies.phone, machine: dependencies.directory.machine,
                voice: dependencies.messages.voice, telephone: dependencies.accounts,
                mobiles: dependencies.mobiles,
                setup: dependencies.setup,
                account: dependencies.messages.account, accounts: dependencies.messages.accounts,
                quiet: dependencies.quiet, login: desktop?.login, shortcuts: desktop?.shortcuts,
                chat: dependencies.messages.chat,
                makeReport: { [weak reporter] in await reporter?.wholeText() ?? "" }))
    }
}

// MARK: - Desktop

extension PhoneApplication: NumberReceiver {
    func fillIn(_ text: String) {
        window?.present()
        whenOpen { $0.paste(text) }
    }
}

extension PhoneApplication: DesktopOwner {
    func windowWillHide() {
        preferences?.close()
        window?.panel.cancelQuestions()
    }

    func quietChanged(_ quiet: DoNotDisturb) {
        ActionMap(application.object).setOn(DoNotDisturb.key, quiet.isOnHere)
        window?.quiet.show(isOn: quiet.isOn, isOnHere: quiet.isOnHere, until: quiet.end)
        attention?.setQuiet(quiet.isOn)
        messages?.setQuiet(quiet.isOn)
        window?.announcer.isQuiet = quiet.isOn
    }

    /// Shows in the menu whether the answering machine is on.
    private func followMachine(_ machine: AnsweringMachine?) {
        guard let machine else { return }
        let show: @MainActor () -> Void = { [weak self, weak machine] in
            guard let self, let machine else { return }
            ActionMap(application.object).setOn(Self.machineAction, machine.isOn)
        }
        machine.observe(by: self, show)
        show()
    }

    func showWindow(token: String?) { window?.present(token: token) }

    func quit() { g_application_quit(application.cast()) }
}
