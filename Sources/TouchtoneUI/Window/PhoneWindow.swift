// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The window, which shows the state of the phone.
///
/// Input goes to `WindowKeyboard`, `WindowActions` and the widgets; the panel is `PanelController`'s.
@MainActor
final class PhoneWindow {
    /// What the window asks of the program around it.
    struct Environment {
        /// Opens Preferences where the account is.
        let openAccount: @MainActor () -> Void
        /// Opens a link of a message to somebody to write to.
        let openXMPP: @MainActor (String) -> Void
        /// Called before a window opens that is made of the theme's rows.
        let willOpenRows: @MainActor () -> Void
    }

    let phone: Phone
    let display: DisplayView
    let panel: PanelController
    let cover: LockCover
    let call: CallView
    /// What calls are called in the window and in notifications.
    let callWords: CallStrings
    /// The window itself.
    let window: UnsafeMutablePointer<GtkWindow>
    /// The number pad of all fields that take a number.
    let pad: NumberPad
    private let keypad: KeypadView
    /// The MEM key, and what is offered under the display.
    private let people: PhoneContactsController
    private let keyboard: WindowKeyboard
    private let actions: WindowActions
    private let panelKey: PanelKey
    private let offer: PracticeExchangePrompt
    private let builder: Builder
    private let set: Builder
    private let windowButtons: Widget

    /// Builds the window for a phone, without showing it.
    ///
    /// - Throws: `GLibError` where a layout is missing or broken.
    init(_ parts: PhoneApplication.Dependencies, resources: Resources, environment: Environment)
        throws(GLibError)
    {
        let phone = parts.phone
        self.phone = phone
        pad = NumberPad(resources: resources, settings: parts.settings)
        builder = try Builder(file: resources.layout("window"))
        window = try builder.object("window")
        set = try Builder(file: resources.layout("set"))
        windowButtons = try builder.object("window-buttons")
        keypad = try KeypadView(resources: resources, phone: phone)
        display = try DisplayView(resources: resources) { phone.paste($0) }
        offer = PracticeExchangePrompt(over: display.widget, settings: parts.settings)
        let leaflet: Widget = try builder.object("leaflet")
        cover = LockCover(
            window: window, content: leaflet, lock: parts.lock, phone: phone, resources: resources)
        // A header bar has the window measured as it comes in, so the panel comes in before there is much to measure.
        panel = try PanelController(
            parts, in: builder, of: window, cover: cover, pad: pad, resources: resources,
            environment: environment)
        gtk_container_add(try set.object("display-place"), display.widget)
        gtk_container_add(try set.object("keypad-place"), keypad.widget)
        people = PhoneContactsController(
            phone: phone, contacts: parts.directory.contacts, memoryKey: try set.object("memory"),
            set: try set.object("set"), display: display.widget, keypad: keypad.widget)
        for part in [people.widget, try set.object("grille")] {
            gtk_container_add(try builder.object("phone"), part)
        }
        callWords = CallStrings(phone, parts.directory)
        call = CallView(
            phone: phone, keypad: keypad,
            places: CallView.Places(
                panel: try set.object("set"), softKeys: try set.object("soft-keys"),
                strip: try set.object("strip-place"), grille: try set.object("grille"),
                display: display.widget),
            strings: callWords, contacts: parts.directory.contacts, resources: resources,
            devices: SpeakerMenu.Source(list: parts.devices, settings: parts.settings))
        panelKey = PanelKey(try set.object("messages"), parts, panel: panel, cover: cover)
        keyboard = WindowKeyboard(
            of: window, phone: phone, keypad: keypad, display: display.widget, panel: panel.side,
            cover: cover, people: people)
        actions = WindowActions(
            of: window, phone: phone, panel: panel, call: call, cover: cover, display: display.widget,
            menus: WindowMenus(builder, resources: resources, willOpenRows: environment.willOpenRows))
        gtk_window_set_default_size(window, panel.folding.defaultWidth, 648)
        try setUpSoftKeys()
        watch()
        show([.display, .status, .keys, .calls])
        showPanel()
        gtk_widget_grab_focus(display.widget)
        try cover.begin()
    }

    /// Shows the window, or brings the one that is shown to the front.
    ///
    /// - Parameter token: what the desktop lets the window come to the front by, where it gave one.
    func present(token: String? = nil) {
        if let token { gtk_window_set_startup_id(window, token) }
        gtk_window_present(window)
    }
}

// MARK: - What is shown

extension PhoneWindow {
    private func show(_ change: Phone.Change) {
        // Assistive tools hear of every change of a label, also of one that is in no window.
        guard !cover.isOn else {
            if change.contains(.calls) { cover.screen?.showCall() }
            return
        }
        if change.contains(.keys) { keypad.show(keysDown: phone.keysDown) }
        if change.contains(.display) { display.show(number: phone.displayText) }
        if change.contains(.status) {
            display.show(status: phone.statusText)
            offer.show(phone.status)
        }
        if change.contains(.calls) {
            keypad.show(dialKey: phone.dialKey)
            call.show()
        }
        people.phoneChanged(change)
        display.show(line: phone.line.label)
    }

    private func showPanel() {
        panelKey.showOpen()
        panel.showWayBack()
        panel.showLookedAt()
        // The panel's header bar has the window's buttons, while there is a panel beside the phone.
        windowButtons.isVisible = !panel.folding.isBeside
    }
}

// MARK: - What happens

extension PhoneWindow {
    private func watch() {
        phone.observe(by: self) { [weak self] in self?.show($0) }
        call.onDevices = { [weak self] in self?.show(.calls) }
        panel.folding.onChange = { [weak self] in self?.showPanel() }
        cover.onChange = { [weak self] in self?.coverChanged($0) }
        Signal.connectNotify(window, "notify::is-active") { [weak self] in self?.activeChanged() }
        // From a field of the panel, a click on the display brings the keyboard back to the phone.
        Signal.connectEvent(display.widget, "button-press-event") { [widget = display.widget] _ in
            gtk_widget_grab_focus(widget)
            return false
        }
        // The sound device was given back in the meantime, if the pointer comes after a while: a press may follow it.
        Signal.connectEvent(window, "enter-notify-event") { [weak self] _ in
            self?.phone.expectPress()
            return false
        }
    }

    private func setUpSoftKeys() throws(GLibError) {
        for name in ["redial", "memory", "messages", "lock"] {
            FittedLabel(wordOf: try set.object(name, as: GtkWidget.self))
        }
        // As the keys of a call, which come in their place: the same everywhere.
        gtk_widget_set_direction(try set.object("soft-keys"), GTK_TEXT_DIR_LTR)
        Signal.connect(try set.object("redial", as: GtkWidget.self), "clicked") { [phone] in phone.redial() }
    }

    private func coverChanged(_ isOn: Bool) {
        phone.releaseAll()
        keyboard.turnStale()
        actions.setEnabled(!isOn)
        people.setCovered(isOn)
        panel.showLookedAt()
        if isOn {
            panel.cancelQuestions()
            call.closeSpeakers()
        }
        panel.side.isCovered = isOn
        if isOn {
            // Who has looked at them before may still have the labels.
            display.show(number: "")
            display.show(status: "")
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
