// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The main window, which shows the state of the phone.
///
/// `WindowKeyboard`, `WindowActions` and the widgets handle input; `PanelController` manages the panel.
@MainActor
final class PhoneWindow {
    let phone: Phone
    let display: DisplayView
    let panel: PanelController
    let cover: LockCover
    let call: CallView
    /// The user-visible strings for calls in the window and in notifications.
    let callStrings: CallStrings
    let window: UnsafeMutablePointer<GtkWindow>
    let pad: NumberPad
    private let keypad: KeypadView
    private let column: PhoneColumn
    private let suggestions: SuggestionController
    private let memoryKey: MemoryButton
    private let strips: MemoryStrips
    let quiet: DoNotDisturbButton
    private let busEnded: BusEndedButton
    private let keyboard: WindowKeyboard
    private let actions: WindowActions
    private let panelKey: PanelKey
    private let portrait: CallerPortrait
    let callerPictures: CallerPictures
    private let lamp: RingLamp
    private let notices: [StatusNotice]
    private let choice: LineChoicePrompt
    private let emergencyNotice: EmergencyNotice
    let announcer: PhoneAnnouncer
    private let builder, set: Builder
    private let windowButtons: Widget
    /// The button that is visible while there is no sound device, and opens its settings.
    private let noSound: Widget

    /// - Parameter showAccount: Opens the account settings in Preferences.
    init(
        _ dependencies: PhoneDependencies, resources: Resources, showAccount: @escaping @MainActor () -> Void
    ) throws(GLibError) {
        let phone = dependencies.phone
        self.phone = phone
        pad = NumberPad(resources: resources, settings: dependencies.settings)
        builder = try Builder(file: resources.layout("window"))
        window = try builder.object("window")
        set = try Builder(file: resources.layout("set"))
        windowButtons = try builder.object("window-buttons")
        noSound = try builder.object("no-sound")
        quiet = DoNotDisturbButton(try builder.object("do-not-disturb"))
        busEnded = BusEndedButton(try builder.object("bus-ended"))
        keypad = try KeypadView(resources: resources, phone: phone)
        display = try DisplayView(resources: resources) { phone.paste($0) }
        notices = [
            .noTelHandler(over: display.widget, settings: dependencies.settings),
            .noHelp(over: display.widget),
        ]
        choice = LineChoicePrompt(over: display.widget, dependencies)
        let leaflet: Widget = try builder.object("leaflet")
        cover = LockCover(
            window: window, content: leaflet, lock: dependencies.lock, phone: phone,
            shown: LockDisplay.Source(
                buddies: dependencies.messages.messenger.buddies, history: dependencies.directory.history,
                wall: dependencies.messages.wall, scheduler: BootTimeScheduler()),
            resources: resources)
        // Adding a header bar measures the window, so add the panel before the window has much content.
        panel = try PanelController(
            dependencies, in: builder, of: window, cover: cover, pad: pad, resources: resources,
            showAccount: showAccount)
        emergencyNotice = EmergencyNotice(panel.side.toast, dependencies)
        gtk_container_add(try set.object("display-place"), display.widget)
        gtk_container_add(try set.object("keypad-place"), keypad.widget)
        column = PhoneColumn(
            PhoneColumn.Parts(
                set: try set.object("set"), grille: try set.object("grille"), display: display,
                softKeys: try set.object("soft-place"), keypad: keypad))
        gtk_container_add(try builder.object("phone"), column.widget)
        phone.memoryKeys = dependencies.directory.contacts
        phone.officeKeys = OfficeKeys(
            lines: dependencies.lines, contacts: dependencies.directory.contacts,
            emergency: { [weak phone] in phone?.calls.emergency.contains($0) == true })
        memoryKey = MemoryButton(try set.object("memory"), phone: phone)
        strips = MemoryStrips(
            on: keypad, of: phone, contacts: dependencies.directory.contacts, clock: MainLoopScheduler())
        suggestions = SuggestionController(
            phone: phone, contacts: dependencies.directory.contacts,
            search: NumberSuggestions(
                contacts: dependencies.directory.contacts, chat: dependencies.messages.chat,
                history: dependencies.directory.history),
            places: SuggestionController.Places(overlay: column.widget, keypad: keypad.widget),
            navigator: panel)
        callStrings = CallStrings(phone, dependencies.directory)
        call = CallView(
            phone: phone, keypad: keypad,
            places: CallView.Places(
                panel: try set.object("set"), softKeys: try set.object("soft-keys"),
                strip: try set.object("strip-place"), grille: try set.object("grille"),
                display: display.widget),
            strings: callStrings, contacts: dependencies.directory.contacts, resources: resources,
            devices: SpeakerMenu.Source(list: dependencies.devices, settings: dependencies.settings),
            clock: MainLoopScheduler())
        call.isLocked = { [cover] in cover.isOn }
        callerPictures = CallerPictures(phone: phone, contacts: dependencies.directory.contacts)
        portrait = CallerPortrait(phone, callerPictures, on: display)
        lamp = RingLamp(try builder.object("lamp"), clock: MainLoopScheduler())
        panelKey = PanelKey(try set.object("messages"), dependencies, panel: panel, cover: cover)
        keyboard = WindowKeyboard(
            of: window, phone: phone, keypad: keypad, display: display.widget, panel: panel.side,
            cover: cover, suggestions: suggestions)
        let incoming = IncomingActions(phone: phone, panel: panel, display: display.widget)
        call.incomingItems = { incoming.items }
        actions = WindowActions(
            of: window, phone: phone, panel: panel, call: call, cover: cover, display: display.widget,
            menus: WindowMenus(builder, resources: resources), suggestions: suggestions,
            incoming: incoming)
        announcer = PhoneAnnouncer(phone, window: window.cast(), clock: MainLoopScheduler())
        // Desktops with Wayland find the desktop entry by it, with the icon; GTK would use the name of the program.
        Signal.connect(window, "map") { [window] in
            cgtk_set_wayland_app_id(gtk_widget_get_window(window.cast()), Resources.applicationID)
        }
        panel.side.hasWindowButtons = true
        gtk_header_bar_set_show_close_button(windowButtons.cast(), 1)
        gtk_window_set_default_size(window, panel.folding.defaultWidth, gint(column.windowHeight))
        try setUpSoftKeys()
        watch()
        show([.display, .status, .keys, .calls])
        showPanel()
        gtk_widget_grab_focus(display.widget)
        try cover.begin()
    }

    /// Shows the window, or brings it to the front, with the activation token if the desktop provides one.
    func present(token: String? = nil) {
        let isReopened =
            gtk_widget_get_visible(window.cast()) == 0 && gtk_widget_get_realized(window.cast()) != 0
        if let token { gtk_window_set_startup_id(window, token) }
        if FirstFrameTheme.isInUse { FirstFrameIcons.begin(in: window) }
        gtk_window_present(window)
        // A window that is shown again has the time of its last use. With that and without a token, some window
        // managers, such as MATE's, leave the focus where it is. A visible window is presented with the present time.
        if isReopened, token == nil { gtk_window_present(window) }
    }

    /// Says that the desktop's message bus has ended, and shows a hidden window, which nothing could bring back any more.
    func showBusEnded() {
        DebugLog.write("the session bus has ended")
        cgtk_end_accessibility()
        if gtk_widget_get_visible(window.cast()) == 0 { present() }
        busEnded.show()
    }

    // MARK: - Display

    private func show(_ change: Phone.Change) {
        // Do not update labels while the phone is locked, because assistive tools are notified of every change, even of
        // labels outside a window.
        guard !cover.isOn else {
            if change.contains(.calls) { cover.screen?.showCall() }
            announcer.phoneChanged()
            return
        }
        if change.contains(.keys) { keypad.show(keysDown: phone.keysDown) }
        if change.contains(.display) {
            display.show(number: phone.displayText, areWords: phone.displaysWords)
        }
        if change.contains(.status) {
            display.show(status: phone.statusText)
            for notice in notices { notice.show(phone.status) }
            choice.show(phone.status)
            emergencyNotice.show(isInView: panel.folding.isOpen)
            noSound.isVisible = !phone.silentRoutes.isEmpty
            showLamp()
        }
        if change.contains(.calls) {
            keypad.show(dialKey: phone.dialKey)
            call.show()
            lamp.isRinging = phone.calls.incoming != nil
            actions.showCalls()
        }
        // After the name, whose direction decides on the side.
        portrait.show()
        suggestions.phoneChanged(change)
        if change.contains(.memory) {
            memoryKey.show()
            strips.show()
        }
        display.show(line: phone.lineName)
        showCaption()
        announcer.phoneChanged()
    }

    /// Shows the kind of the number or a question, or else the suggestion for a typed number, or what the phone says.
    private func showCaption() {
        guard !cover.isOn else { return }
        display.show(caption: phone.prompt ?? suggestions.caption ?? phone.caption)
    }

    private func showLamp() { lamp.isWaiting = panelKey.isWaiting || phone.hasNewVoicemail }

    private func showPanel() {
        panelKey.showOpen()
        panel.showWayBack()
        panel.showLookedAt()
        emergencyNotice.show(isInView: panel.folding.isOpen && !cover.isOn)
        // While the panel is beside the phone, its header bar shows the window's buttons.
        windowButtons.isVisible = !panel.folding.isBeside
    }

    // MARK: - Events

    private func watch() {
        panelKey.onWaiting = { [weak self] _ in self?.showLamp() }
        suggestions.onCaption = { [weak self] in self?.showCaption() }
        announcer.suggestions = { [weak suggestions] in suggestions?.summary ?? "" }
        phone.observe(by: self) { [weak self] in self?.show($0) }
        call.onDevices = { [weak self] in self?.show(.calls) }
        panel.folding.onChange = { [weak self] in self?.showPanel() }
        cover.onChange = { [weak self] in self?.coverChanged($0) }
        Signal.connectNotify(window, "notify::is-active") { [weak self] in self?.activeChanged() }
        // Clicking the display moves the focus back from a field of the panel to the phone.
        Signal.connectEvent(display.widget, "button-press-event") { [widget = display.widget] _ in
            gtk_widget_grab_focus(widget)
            return false
        }
        // When the pointer enters, a key press may follow, so prepare the sound device, which may have been released.
        Signal.connectEvent(window, "enter-notify-event") { [weak self] _ in
            self?.phone.expectPress()
            return false
        }
    }

    private func setUpSoftKeys() throws(GLibError) {
        var keys: [Widget] = []
        for name in ["redial", "memory", "messages", "lock"] { keys.append(try set.object(name)) }
        FittedLabel.fit(wordsOf: keys)
        // Do not mirror the soft keys in right-to-left locales, as with the call keys that replace them.
        gtk_widget_set_direction(try set.object("soft-keys"), GTK_TEXT_DIR_LTR)
        try set.connect("redial", "clicked") { [phone] in phone.redial() }
    }

    private func coverChanged(_ isOn: Bool) {
        phone.releaseAll()
        keyboard.turnStale()
        actions.setEnabled(!isOn)
        suggestions.setCovered(isOn)
        announcer.setLocked(isOn)
        panel.showLookedAt()
        if isOn {
            panel.cancelQuestions()
            call.closeMenus()
            call.hideText()
        }
        panel.side.isCovered = isOn
        if isOn {
            // Assistive tools may still hold the labels that they have read before.
            display.show(number: "")
            display.show(status: "")
            display.show(caption: "")
            portrait.hide()
        } else {
            show([.display, .status, .keys, .calls])
            showPanel()
            panelKey.showWaiting()
        }
    }

    private func activeChanged() {
        let isActive = gtk_window_is_active(window) != 0
        keyboard.activeChanged(isActive)
        panel.showLookedAt()
        phone.setReady(isActive)
    }
}
