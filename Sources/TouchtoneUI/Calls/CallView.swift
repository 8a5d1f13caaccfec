// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The parts of the window that show calls: the keys of a call, the card and the second line.
///
/// They are built when there is first a call. No key of the keypad moves or changes its size for a call: other keys
/// replace the soft keys and DEL, and the second line replaces the grille at the bottom.
@MainActor
final class CallView {
    /// The widgets around which a call is shown.
    struct Places {
        /// The phone's widget, which is the accessible panel “Call” during a call.
        let panel: Widget
        let softKeys, strip: Widget
        /// The grille, which is hidden while the second line is shown.
        let grille: Widget
        /// The display, which takes the focus if the focused widget disappears.
        let display: Widget
    }

    private let phone: Phone
    private let keypad: KeypadView
    private let places: Places
    private let strings: CallStrings
    private let contacts: ContactBook?
    private let resources: Resources
    private let devices: SpeakerMenu.Source
    private var views: Views?
    private var showsKeypad = true
    /// Whether the text of the call is shown in place of the card.
    private var showsText = false
    /// The calls whose text has begun, and was shown then.
    private var begun: Set<Call.ID> = []
    private let announcer: CallTextAnnouncer
    /// Returns the items of the menu of DECLINE.
    var incomingItems: (@MainActor () -> [ContextMenu.Item])?
    /// Returns whether the phone is locked, so that no text is spoken.
    var isLocked: @MainActor () -> Bool = { false }
    /// The observer of changes to the list of devices that can play the call.
    var onDevices: (@MainActor () -> Void)?

    private struct Views {
        let keys: CallKeys
        let strip: CallStrip
        var card: CallCard?
        var text: CallTextView?
    }

    init(
        phone: Phone, keypad: KeypadView, places: Places, strings: CallStrings, contacts: ContactBook?,
        resources: Resources, devices: SpeakerMenu.Source, clock: any Scheduler
    ) {
        announcer = CallTextAnnouncer(places.panel, clock: clock)
        (self.devices, self.contacts, self.phone, self.keypad) = (devices, contacts, phone, keypad)
        (self.places, self.strings, self.resources) = (places, strings, resources)
    }

    private var calls: CallManager { phone.calls }

    /// Whether there is a live call, even one on hold, whose keys replace the soft keys.
    private var isInCall: Bool { calls.hasConversation }

    /// Whether the keypad acts on the call; false while a number is entered, and after a refused call.
    private var hasKeypad: Bool {
        isInCall && !calls.isTakingNumber && calls.current?.state.isLive == true
    }

    /// Updates the widgets from the calls; does nothing before the first call.
    func show() {
        let state = CallStrings.state(of: calls)
        if views == nil, state == nil { return }
        guard let views = views ?? makeViews() else { return }
        if !isInCall { (showsKeypad, showsText, begun) = (true, false, []) }
        beginText()
        setAccessibleState(state)
        views.keys.speakers.setInCall(isInCall)
        keepingFocus {
            views.keys.show(calls, showsKeypad: showsKeypad)
            places.softKeys.isVisible = !isInCall
            views.keys.soft.isVisible = isInCall
            keypad.show(left: left(views.keys))
            showCard()
        }
        let second = CallStrip.Shown(calls, strings)
        keepingFocus {
            views.strip.show(second)
            places.strip.isVisible = second != nil
        }
        places.grille.isVisible = second == nil
        views.strip.showList()
    }

    /// Switches between the keypad and the card, if the keypad acts on the call.
    func toggleKeypad() {
        guard hasKeypad else { return }
        showsKeypad.toggle()
        show()
    }

    func chooseSpeaker() { views?.keys.speakers.open() }

    /// Removes the text of the call from the widgets, when the phone is locked.
    func hideText() { views?.text?.clear() }

    /// Opens the list of all calls, if there is more than one.
    func openList() { views?.strip.openList() }

    /// Closes the menu of devices and the list of calls.
    func closeMenus() {
        views?.keys.speakers.close()
        views?.strip.closeList()
    }

    /// Returns the key to the left of Dial; nil for DEL.
    private func left(_ keys: CallKeys) -> Widget? {
        if hasKeypad {
            return calls.current?.postDialDigits.waits == true ? keys.send : keys.keypad
        }
        return phone.dialKey == .answer ? keys.decline : nil
    }

    /// Sets the role, the name and the description of the phone for assistive tools; nil for no call.
    private func setAccessibleState(_ state: String?) {
        let accessible = gtk_widget_get_accessible(places.panel)
        let role = state == nil ? ATK_ROLE_FILLER : ATK_ROLE_PANEL
        if atk_object_get_role(accessible) != role { atk_object_set_role(accessible, role) }
        places.panel.setAccessible(name: state == nil ? "" : localizedIn("noun", "Call"))
        places.panel.setAccessible(description: state ?? "")
    }

    /// Shows the text of the current call when it begins, also if the other party has added it.
    private func beginText() {
        let current = isInCall ? calls.current : nil
        if let current, current.text.standing == .active, begun.insert(current.id).inserted {
            (showsKeypad, showsText) = (false, true)
        }
        announcer.show(
            current, name: current.map { strings.who($0.remote) } ?? "", isLocked: isLocked())
    }

    /// Opens the text of the current call, and asks the other party for it.
    private func openText() {
        showsText = true
        calls.startText()
        show()
        views?.text?.focus()
    }

    private func closeText() {
        showsText = false
        show()
    }

    private func showCard() {
        let current = calls.current
        guard let current, hasKeypad, !showsKeypad else {
            if !isInCall { views?.text?.clear() }
            return keypad.show(card: nil)
        }
        if showsText, current.canHaveText, current.state.isConversation, let text = textView() {
            // Assistive tools would find it behind the lock screen.
            if isLocked() { text.clear() } else { text.show(current, name: strings.who(current.remote)) }
            return keypad.show(card: text.widget)
        }
        if views?.card == nil {
            views?.card = try? CallCard(resources: resources, calls: calls, contacts: contacts)
            views?.card?.onText = { [weak self] in self?.openText() }
        }
        guard let card = views?.card else { return keypad.show(card: nil) }
        card.show(current, strings)
        keypad.show(card: card.widget)
    }

    /// Returns the view of the text, which is made when it is first needed.
    private func textView() -> CallTextView? {
        if views?.text == nil {
            views?.text = try? CallTextView(resources: resources, calls: calls)
            views?.text?.onClose = { [weak self] in self?.closeText() }
        }
        return views?.text
    }

    /// Makes a change, and moves the focus to the display, not to any key, if the focused key disappears.
    private func keepingFocus(_ change: () -> Void) {
        let focus = places.panel.focusInWindow
        change()
        guard let focus, gtk_widget_is_ancestor(focus, places.panel) != 0,
            gtk_widget_is_visible(focus) == 0 || gtk_widget_is_sensitive(focus) == 0
        else { return }
        gtk_widget_grab_focus(places.display)
    }

    private func makeViews() -> Views? {
        guard let keys = try? CallKeys(resources: resources, calls: calls, devices: devices),
            let strip = try? CallStrip(resources: resources, phone: phone, strings: strings)
        else { return nil }
        keys.onKeypad = { [weak self] in self?.toggleKeypad() }
        keys.speakers.onChange = { [weak self] in self?.onDevices?() }
        for key in [keys.decline, strip.decline] {
            IncomingMenu.connect(to: key) { [weak self] in self?.incomingItems?() ?? [] }
        }
        gtk_container_add(gtk_widget_get_parent(places.softKeys).cast(), keys.soft)
        for left in [keys.keypad, keys.decline, keys.send] { keypad.add(left: left) }
        gtk_container_add(places.strip.cast(), strip.widget)
        let views = Views(keys: keys, strip: strip)
        self.views = views
        return views
    }
}
