// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The window: it shows what the phone holds, and tells the phone what people do.
@MainActor
final class PhoneWindow {
    let phone: Phone
    let lines: LineRegistry
    let keypad: KeypadView
    let display: DisplayView
    let side: SidePanel?
    let panel: MessagePanel?
    let folding: PanelFolding
    let cover: LockCover
    let call: CallView
    /// The MEM key, and what is offered under the display; nil where there are no contacts.
    let people: PhonePeople?
    /// The window itself.
    let window: UnsafeMutablePointer<GtkWindow>
    /// Called to open Preferences where the account is.
    var openAccount: (@MainActor () -> Void)?
    /// Called for a link of a message to somebody to write to; the desktop opens it where nobody is.
    var openXMPP: (@MainActor (String) -> Void)?
    let messages: MessageParts?
    /// The calls that were and the contacts; nil where there are none.
    let directory: DirectoryParts?
    /// The number pad of all fields that take a number.
    let pad: NumberPad
    private let builder: Builder
    private let set: Builder
    private var held = HeldKeys()
    private var menuTimer: MainLoop.Timer?
    private var shortcuts: UnsafeMutablePointer<GtkWidget>?
    /// Called before a window opens that is made of the theme's rows.
    var willOpenRows: (@MainActor () -> Void)?
    let resources: Resources
    private let offer: PracticeOffer
    private let redialKey: UnsafeMutablePointer<GtkWidget>
    private let windowButtons: UnsafeMutablePointer<GtkWidget>
    let messagesKey: UnsafeMutablePointer<GtkToggleButton>

    /// Builds the window for a phone, without showing it.
    ///
    /// - Parameter devices: the sound devices that a call can be heard on; nil is the one for tones alone.
    /// - Throws: `GLibError` where a layout is missing or broken.
    init(
        phone: Phone, lines: LineRegistry, lock: Lock, messages: MessageParts?, directory: DirectoryParts?,
        settings: Settings, resources: Resources, devices: (any SoundDeviceList)? = nil
    ) throws(GLibError) {
        self.phone = phone
        self.lines = lines
        self.messages = messages
        self.directory = directory
        self.resources = resources
        pad = NumberPad(resources: resources, settings: settings)
        builder = try Builder(file: resources.layout("window"))
        window = try builder.object("window")
        set = try Builder(file: resources.layout("set"))
        windowButtons = try builder.object("window-buttons")
        redialKey = try set.object("redial")
        messagesKey = try set.object("messages")
        keypad = try KeypadView(resources: resources, phone: phone)
        display = try DisplayView(resources: resources) { phone.paste($0) }
        offer = PracticeOffer(over: display.widget, settings: settings)
        let leaflet: UnsafeMutablePointer<HdyLeaflet> = try builder.object("leaflet")
        // The panel's way back comes before there is a folding to go back by.
        let way = WayBack()
        side =
            if messages != nil {
                try SidePanel(resources: resources, clock: MainLoopClock()) { way.folding?.toggle() }
            } else { nil }
        panel =
            if let messages {
                try MessagePanel(
                    resources: resources, chat: messages.chat, account: messages.account, settings: settings,
                    outside: way.outside, wall: messages.wall, clock: MainLoopClock())
            } else { nil }
        // A header bar has the window measured as it comes in, so both come in before there is much to measure.
        if let side { gtk_container_add(try builder.object("panel-place"), side.widget) }
        if let panel { side?.add(.messages) { panel } }
        gtk_container_add(try set.object("display-place"), display.widget)
        gtk_container_add(try set.object("keypad-place"), keypad.widget)
        people =
            if let directory {
                PhonePeople(
                    phone: phone, contacts: directory.contacts, memoryKey: try set.object("memory"),
                    set: try set.object("set"), display: display.widget, keypad: keypad.widget)
            } else { nil }
        let whole: Widget = try set.object("set")
        for part in [people?.widget ?? whole, try set.object("grille")] {
            gtk_container_add(try builder.object("phone"), part)
        }
        folding = PanelFolding(
            window: window, leaflet: leaflet, phone: try builder.object("phone"),
            panel: try builder.object("panel-place"), settings: settings)
        way.folding = folding
        cover = LockCover(
            window: window, content: leaflet.cast(), lock: lock, phone: phone, resources: resources)
        call = CallView(
            phone: phone, keypad: keypad,
            places: CallView.Places(
                panel: try set.object("set"), softKeys: try set.object("soft-keys"),
                strip: try set.object("strip-place"), grille: try set.object("grille"),
                display: display.widget),
            words: CallWords(phone, directory), contacts: directory?.contacts, resources: resources,
            devices: SpeakerMenu.Source(list: devices, settings: settings))
        way.window = self
        gtk_window_set_default_size(window, folding.defaultWidth, 648)
        addDirectoryPages()
        setUpSoftKeys()
        addContacts()
        watch()
        showEverything()
        gtk_widget_grab_focus(display.widget)
        try cover.begin()
        // Under Wayland a popover is mapped by an event of its window's own: only the first is that of the window.
        Signal.connectEvent(window, "map-event") { [weak self] _ in
            guard let self, menuTimer == nil else { return false }
            menuTimer = MainLoop.after(milliseconds: 50) { [weak self] in self?.addMenu() }
            return false
        }
    }

    /// Shows the window, or brings the one that is shown to the front.
    func present() {
        gtk_window_present(window)
    }

    /// Builds what the first frame does not show, once that is drawn: the menu takes as long as the keypad.
    private func addMenu() {
        guard let button: UnsafeMutablePointer<GtkMenuButton> = try? builder.object("menu"),
            let model: UnsafeMutablePointer<GMenuModel> = try? builder.object("main-menu")
        else { return }
        gtk_menu_button_set_menu_model(button, model)
    }

    private func showEverything() {
        show([.display, .status, .keys, .calls])
        showPanel()
    }

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
        people?.phoneChanged(change)
        display.show(line: phone.line.label)
    }

    private func showPanel() {
        gtk_toggle_button_set_active(messagesKey, folding.isOpen ? 1 : 0)
        side?.show(wayBack: folding.isFolded)
        showLookedAt()
        // The panel's header bar has the window's buttons, while there is a panel beside the phone.
        gtk_widget_set_visible(windowButtons, folding.isBeside ? 0 : 1)
    }
}

// MARK: - What people do

extension PhoneWindow {
    private func watch() {
        phone.follow(self) { [weak self] in self?.show($0) }
        call.onDevices = { [weak self] in self?.show(.calls) }
        folding.onChange = { [weak self] in self?.showPanel() }
        cover.onChange = { [weak self] in self?.coverChanged($0) }
        followWhatWaits()
        Signal.connectEvent(window, "key-press-event") { [weak self] in self?.keyPressed($0) ?? false }
        Signal.connectEvent(window, "key-release-event") { [weak self] in self?.keyReleased($0) ?? false }
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

    private func setUpSoftKeys() {
        for name in ["redial", "memory", "messages", "lock"] {
            if let key: Widget = try? set.object(name) { FittedLabel(wordOf: key) }
        }
        // As the keys of a call, which come in their place: the same everywhere.
        if let row: Widget = try? set.object("soft-keys") { gtk_widget_set_direction(row, GTK_TEXT_DIR_LTR) }
        Signal.connect(redialKey, "clicked") { [phone] in phone.redial() }
        Signal.connect(messagesKey, "toggled") { [weak self] in
            guard let self, (gtk_toggle_button_get_active(messagesKey) != 0) != folding.isOpen else { return }
            folding.toggle()
        }
    }

    private func coverChanged(_ isOn: Bool) {
        phone.releaseAll()
        held.turnStale()
        setActions(enabled: !isOn)
        people?.setCovered(isOn)
        showLookedAt()
        if isOn { cancelQuestions() }
        side?.isCovered = isOn
        if isOn {
            // Who has looked at them before may still have the labels.
            display.show(number: "")
            display.show(status: "")
        } else {
            showEverything()
            showWhatWaits()
        }
    }

    private func activeChanged() {
        let isActive = gtk_window_is_active(window) != 0
        held.begin(with: isActive ? KeysDown.codes : [])
        showLookedAt()
        phone.setReady(isActive)
    }

    private func keyPressed(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        let press = held.press(UInt32(event.pointee.key.hardware_keycode))
        guard press != .stale else { return true }
        guard !cover.isOn else {
            return cover.screen?.keyPressed(event.pointee.key, isRepeat: press != .first) ?? true
        }
        // A digit is never entered twice, nor a number dialled by the Return that closed another window.
        guard press != .carried || focusTakesText else { return true }
        // What is typed in the panel is the panel's, before any shortcut of the phone's, and never the phone's.
        if side?.hasFocus == true {
            return gtk_window_propagate_key_event(window, &event.pointee.key) != 0
        }
        if !focusTakesText, people?.keyPressed(event.pointee.key) == true { return true }
        guard !focusTakesText, let key = phoneKey(for: event.pointee.key) else { return false }
        phone.press(key, by: .keyboard(code: UInt32(event.pointee.key.hardware_keycode)))
        // Whoever types a number means the keypad: Return then dials, whichever key had the focus before.
        if keypad.focusedKey == nil { gtk_widget_grab_focus(display.widget) }
        return true
    }

    private func keyReleased(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        held.release(UInt32(event.pointee.key.hardware_keycode))
        // Whatever has the focus by now: a key that is down must come up.
        phone.release(by: .keyboard(code: UInt32(event.pointee.key.hardware_keycode)))
        return false
    }

    /// Return dials unless a key with a name of its own has the focus; Space presses the key of the phone that has it.
    private func phoneKey(for event: GdkEventKey) -> KeypadKey? {
        guard let key = Keyboard.key(for: event) else {
            return event.keyval == guint(GDK_KEY_space) ? keypad.focusedKey : nil
        }
        return key == .dial && focusIsOnAnotherButton ? nil : key
    }

    private var focus: UnsafeMutablePointer<GtkWidget>? { gtk_window_get_focus(window) }

    private var focusTakesText: Bool { focus?.takesText ?? false }

    private var focusIsOnAnotherButton: Bool {
        guard let focus else { return false }
        return cgtk_instance_is_a(focus, gtk_button_get_type()) != 0 && keypad.focusedKey == nil
    }
}

// MARK: - Actions

extension PhoneWindow {
    /// Adds the window's actions, which its menus and keys name.
    func addActions() {
        let actions = ActionMap(window)
        actions.add("copy") { [phone] in
            let text = phone.copy()
            if !text.isEmpty { Clipboard.write(text) }
        }
        actions.add("paste") { [weak phone] in
            Clipboard.read { phone?.paste($0) }
        }
        actions.add("redial") { [phone] in phone.redial() }
        actions.add("panel") { [weak self] in self?.folding.toggle() }
        actions.add("menu") { [weak self] in self?.showMenu() }
        actions.add("show-help-overlay") { [weak self] in self?.showShortcuts() }
        addPageActions()
        addPeopleActions()
        setActions(enabled: !cover.isOn)
        addCallActions()
    }

    private func setActions(enabled: Bool) {
        let actions = ActionMap(window)
        let names = ["copy", "paste", "redial", "panel", "menu", "show-help-overlay"]
        for name in names + Self.pageActions + Self.peopleActions {
            actions.setEnabled(name, enabled)
        }
        setCallActions(isOpen: enabled)
    }

    private func showMenu() {
        if let button: UnsafeMutablePointer<GtkWidget> = try? builder.object("menu") {
            gtk_button_clicked(button.cast())
        }
    }

    private func showShortcuts() {
        willOpenRows?()
        if shortcuts == nil {
            guard let builder = try? Builder(file: resources.layout("shortcuts")),
                let new: UnsafeMutablePointer<GtkWidget> = try? builder.object("shortcuts")
            else { return }
            gtk_window_set_transient_for(new.cast(), window)
            RowNames.set(in: new)
            Signal.connect(new, "destroy") { [weak self] in self?.shortcuts = nil }
            shortcuts = new
        }
        if let shortcuts { gtk_window_present(shortcuts.cast()) }
    }
}

// MARK: - Messages

extension PhoneWindow {
    /// What the panel shows is seen while it is open, the window is the one in use, and the phone is not locked.
    private func showLookedAt() {
        side?.isLookedAt = folding.isOpen && !cover.isOn && gtk_window_is_active(window) != 0
    }

    /// Opens the conversation with somebody, and the panel for it.
    func showConversation(with buddy: ChatAddress) {
        open(page: .messages)
        panel?.open(buddy)
    }

    /// Asks whether to add somebody, in the panel.
    func showAdding(of address: String, name: String) {
        open(page: .messages)
        panel?.askToAdd(address, name: name)
    }

    fileprivate func open(_ link: TextLink) {
        switch link {
        case .number(let number):
            phone.paste(number)
            if folding.isFolded { folding.toggle() }
        case .xmpp(let uri) where openXMPP != nil: openXMPP?(uri)
        case .web(let uri), .sip(let uri), .xmpp(let uri):
            gtk_show_uri_on_window(window, uri, gtk_get_current_event_time(), nil)
        }
    }
}

/// What the panel asks of the window, once that is there.
@MainActor
private final class WayBack {
    weak var folding: PanelFolding?
    weak var window: PhoneWindow?

    var outside: PanelOutside {
        PanelOutside(
            open: { [self] in window?.open($0) }, openAccount: { [self] in window?.openAccount?() })
    }
}
