// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The program on the desktop: one instance, one window, and actions on the session bus.
@MainActor
public final class PhoneApplication {
    /// The id on the bus, of the desktop entry and of the settings.
    public static let id = "io.github.touchtone.Touchtone"

    /// What the program is made of, put together when its first instance starts.
    public struct Dependencies {
        let phone: Phone
        let lines: LineRegistry
        let lock: Lock
        let settings: Settings
        let devices: (any SoundDeviceList)?
        let sounds: any SoundOutput
        let messages: MessagingDependencies
        let directory: DirectoryDependencies

        /// Joins a phone with its lock and the settings that they follow, and with what Preferences work with.
        ///
        /// - Parameters:
        ///   - lines: the lines that Dial can use.
        ///   - devices: who knows the sound devices that can be chosen; nil is the default one alone.
        ///   - sounds: what makes a choice heard.
        ///   - messages: what the panel shows.
        ///   - directory: the calls that were and the contacts.
        public init(
            phone: Phone, lines: LineRegistry, lock: Lock, settings: Settings,
            devices: (any SoundDeviceList)? = nil,
            sounds: any SoundOutput, messages: MessagingDependencies, directory: DirectoryDependencies
        ) {
            self.phone = phone
            self.lines = lines
            self.lock = lock
            self.settings = settings
            self.devices = devices
            self.sounds = sounds
            self.messages = messages
            self.directory = directory
        }
    }

    private let application: GObjectRef
    private let resources: Resources
    private let version: String
    private let makeParts: @MainActor () throws(GLibError) -> Dependencies
    private var dependencies: Dependencies?
    private var window: PhoneWindow?
    private var style: Style?
    private var preferences: Preferences?
    private var triggers: LockTriggers?
    private var messages: MessagingController?
    private var attention: CallAlertController?
    /// What came while the phone was locked; the last of it counts.
    private var waiting: (@MainActor (Phone) -> Void)?
    private var failure: GLibError?

    /// Prepares the program.
    ///
    /// - Parameter makeParts: called once, if this is the first instance; a later one only sends its links there.
    public init(
        resources: Resources, version: String,
        makeParts: @escaping @MainActor () throws(GLibError) -> Dependencies
    ) {
        self.resources = resources
        self.version = version
        self.makeParts = makeParts
        application = GObjectRef(
            taking: UnsafeMutableRawPointer(gtk_application_new(Self.id, G_APPLICATION_HANDLES_OPEN)))
        watch()
        addActions()
    }

    /// Runs until the window is closed or the program told to quit.
    ///
    /// - Parameter arguments: the program's name, then links to open.
    /// - Throws: `GLibError` where the window could not be built; the program has ended by then.
    public func run(arguments: [String]) throws(GLibError) -> Int32 {
        MainLoop.attachMainActor()
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) } + [nil]
        defer { argv.forEach { g_free($0) } }
        let status = g_application_run(application.cast(), gint(arguments.count), &argv)
        if let failure { throw failure }
        return status
    }

    private func watch() {
        Signal.connect(application.object, "startup") { [weak self] in self?.start() }
        Signal.connect(application.object, "activate") { [weak self] in self?.window?.present() }
        Signal.connectOpen(application.object) { [weak self] in self?.open($0) }
        Signal.connect(application.object, "shutdown") { [weak self] in
            self?.leave()
        }
    }

    private func start() {
        do throws(GLibError) {
            hdy_init()
            let dependencies = try makeParts()
            style = try Style(resources: resources)
            let openAccount: @MainActor () -> Void = { [weak self] in
                self?.showPreferences(page: PreferencesPageName.messages.rawValue)
            }
            let window = try PhoneWindow(
                dependencies, resources: resources,
                environment: PhoneWindow.Environment(
                    openAccount: openAccount,
                    // A link in a message is one that somebody has clicked here.
                    openXMPP: { [weak self] in self?.openLink($0) },
                    willOpenRows: { [weak self] in self?.style?.dressTheme() }))
            gtk_window_set_application(window.window, application.cast())
            self.dependencies = dependencies
            self.window = window
            setShortcuts()
            messages = MessagingController(dependencies, window: window, openAccount: openAccount)
            let triggers = LockTriggers(
                lock: dependencies.lock, settings: dependencies.settings, clock: BootTimeClock())
            self.triggers = triggers
            attention = CallAlertController(
                phone: dependencies.phone, lock: dependencies.lock, window: window, triggers: triggers)
            dependencies.lock.observe(by: self) { [weak self] in self?.lockChanged() }
        } catch {
            failure = error
            g_application_quit(application.cast())
        }
    }

    /// The window goes at once; what has to be kept and said is waited for a moment.
    private func leave() {
        dependencies?.phone.calls.hangUpAll()
        attention?.leave()
        dependencies?.phone.setReady(false)
        // Nothing is shown any more: what changes from here on would be shown by widgets that are gone.
        window?.panel.side.close()
        window = nil
        while let last = gtk_application_get_windows(application.cast())?.pointee.data {
            gtk_widget_destroy(last.assumingMemoryBound(to: GtkWidget.self))
        }
        messages?.leave()
    }

    /// Fills in what a link says and waits: nothing of it is dialled or sent without a person's hand.
    private func open(_ links: [String]) {
        window?.present()
        if let link = links.first { openLink(link) }
    }

    private func openLink(_ link: String) {
        whenOpen { [weak self] phone in
            if let person = try? XMPPURI(link), self?.messages?.open(person) == true { return }
            phone.open(link: link)
        }
    }

    /// Does something with the phone, once it is not locked.
    private func whenOpen(_ action: @escaping @MainActor (Phone) -> Void) {
        guard let dependencies else { return }
        if dependencies.lock.isLocked { waiting = action } else { action(dependencies.phone) }
    }

    private func lockChanged() {
        guard let dependencies else { return }
        let isOpen = !dependencies.lock.isLocked
        for name in ["dial", "clear", "about", "preferences", "preferences-page"] {
            ActionMap(application.object).setEnabled(name, isOpen)
        }
        // Preferences tell of things that are behind the lock, and it covers the phone's window alone.
        if !isOpen { preferences?.close() }
        guard isOpen, let action = waiting else { return }
        waiting = nil
        action(dependencies.phone)
    }

    /// Locks the phone, or leads to where a passcode is set.
    private func lock() {
        guard let dependencies, !dependencies.lock.lock() else { return }
        dependencies.phone.passcodeMissing()
        showPreferences(page: PreferencesPageName.lock.rawValue)
    }

    private func addActions() {
        let actions = ActionMap(application.object)
        actions.add("enter", text: { [weak self] text in self?.whenOpen { $0.paste(text) } })
        actions.add("dial") { [weak self] in self?.dependencies?.phone.dial() }
        // Not taken away by the lock: what goes on and who calls can be ended and answered without looking.
        actions.add("hang-up") { [weak self] in self?.dependencies?.phone.hangUp() }
        actions.add("answer") { [weak self] in self?.dependencies?.phone.answer() }
        actions.add("clear") { [weak self] in self?.dependencies?.phone.clear() }
        actions.add("lock") { [weak self] in self?.lock() }
        actions.add("preferences") { [weak self] in self?.showPreferences() }
        actions.add("preferences-page", text: { [weak self] in self?.showPreferences(page: $0) })
        actions.add("about") { [weak self] in self?.showPreferences(page: PreferencesPageName.about.rawValue)
        }
        actions.add("quit") { [weak self] in
            guard let self else { return }
            g_application_quit(application.cast())
        }
    }

    private func setShortcuts() {
        for (action, shortcut) in Shortcuts.table {
            shortcut.withCString { text in
                var list: [UnsafePointer<CChar>?] = [text, nil]
                gtk_application_set_accels_for_action(application.cast(), action, &list)
            }
        }
    }

    /// Shows Preferences, at a page of a name that may come from the bus: one that there is not is no page.
    private func showPreferences(page name: String? = nil) {
        guard let window, let dependencies else { return }
        window.present()
        style?.dressTheme()
        let preferences = self.preferences ?? makePreferences(dependencies, pad: window.pad)
        self.preferences = preferences
        preferences.show(name.flatMap(PreferencesPageName.init), over: window.window)
    }

    private func makePreferences(_ dependencies: Dependencies, pad: NumberPad) -> Preferences {
        Preferences(
            PreferencesDependencies(
                resources: resources, settings: dependencies.settings,
                pad: pad, version: version,
                devices: dependencies.devices, sounds: dependencies.sounds, passcode: dependencies.lock,
                lines: dependencies.lines,
                account: dependencies.messages.account))
    }
}
