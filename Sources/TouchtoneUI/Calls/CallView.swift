// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The window in a call: which keys are where, and what is shown of the calls.
///
/// Nothing of it is built before there is a call. No key of the keypad moves or changes its size for a call: other keys
/// take the places of the soft keys and of DEL, and the second line has the grille's place below everything.
@MainActor
final class CallView {
    /// Where a call is shown.
    struct Places {
        /// The whole of the phone that is about the call, which is the panel `Call` while there is one.
        let panel: Widget
        /// The soft keys, in the place of which those of a call come.
        let softKeys: Widget
        /// What the second line is put into.
        let strip: Widget
        /// What gives way to the second line.
        let grille: Widget
        /// What gets the focus where what had it goes away.
        let display: Widget
    }

    private let phone: Phone
    private let keypad: KeypadView
    private let places: Places
    private let strings: CallStrings
    private let contacts: ContactBook?
    private let resources: Resources
    private let devices: SpeakerMenu.Source
    private var parts: Parts?
    private var showsKeypad = true
    /// Called when the devices that a call can be heard on were found.
    var onDevices: (@MainActor () -> Void)?

    private struct Parts {
        let keys: CallKeys
        let strip: CallStrip
        var card: CallCard?
    }

    /// - Parameters:
    ///   - contacts: whose pictures the card shows.
    ///   - devices: what the menu of SPKR offers.
    init(
        phone: Phone, keypad: KeypadView, places: Places, strings: CallStrings, contacts: ContactBook?,
        resources: Resources, devices: SpeakerMenu.Source
    ) {
        self.devices = devices
        self.contacts = contacts
        self.phone = phone
        self.keypad = keypad
        self.places = places
        self.strings = strings
        self.resources = resources
    }

    private var calls: CallManager { phone.calls }

    /// Whether there is a call that takes the soft keys' place, be it one that waits.
    private var isInCall: Bool {
        calls.calls.contains { $0.state.isLive && $0.features.contains(.conversation) }
    }

    /// Whether the keypad is the call's: not while a number is typed, or was not reached.
    private var hasKeypad: Bool {
        isInCall && !calls.isTakingNumber && calls.current?.state.isLive == true
    }

    /// Shows what the calls are at; what stays is not touched.
    func show() {
        let state = CallStrings.state(of: calls)
        if parts == nil, state == nil { return }
        guard let parts = parts ?? makeParts() else { return }
        if !isInCall { showsKeypad = true }
        tell(state)
        parts.keys.speakers.setInCall(isInCall)
        keeping {
            parts.keys.show(calls, showsKeypad: showsKeypad)
            places.softKeys.isVisible = !isInCall
            parts.keys.soft.isVisible = isInCall
            keypad.show(left: left(parts.keys))
            showCard()
        }
        let second = CallStrip.Shown(calls, strings)
        keeping {
            parts.strip.show(second)
            places.strip.isVisible = second != nil
        }
        places.grille.isVisible = second == nil
    }

    /// Has the keypad, or the card, in the middle of the phone.
    func toggleKeypad() {
        guard hasKeypad else { return }
        showsKeypad.toggle()
        show()
    }

    /// Opens the menu of the devices that the call can be heard on.
    func chooseSpeaker() { parts?.keys.speakers.open() }

    /// Closes that menu.
    func closeSpeakers() { parts?.keys.speakers.close() }

    /// What is at the left of the Dial key; nil is DEL.
    private func left(_ keys: CallKeys) -> Widget? {
        if hasKeypad {
            return calls.current?.postDialDigits.waits == true ? keys.send : keys.keypad
        }
        return phone.dialKey == .answer ? keys.decline : nil
    }

    /// Tells assistive tools that the phone is the panel of a call, and of what that is at.
    private func tell(_ state: String?) {
        let accessible = gtk_widget_get_accessible(places.panel)
        let role = state == nil ? ATK_ROLE_FILLER : ATK_ROLE_PANEL
        if atk_object_get_role(accessible) != role { atk_object_set_role(accessible, role) }
        places.panel.setAccessible(name: state == nil ? "" : localizedIn("noun", "Call"))
        places.panel.setAccessible(description: state ?? "")
    }

    private func showCard() {
        guard hasKeypad, !showsKeypad else { return keypad.show(card: nil) }
        if parts?.card == nil { parts?.card = try? CallCard(resources: resources, contacts: contacts) }
        guard let card = parts?.card, let current = calls.current else { return keypad.show(card: nil) }
        card.show(current, calls, strings)
        keypad.show(card: card.widget)
    }

    /// A key that goes away, or can no longer be pressed, gives the focus to the display, and not to whatever comes next.
    private func keeping(_ change: () -> Void) {
        guard let top = gtk_widget_get_toplevel(places.panel),
            cgtk_instance_is_a(top, gtk_window_get_type()) != 0
        else { return change() }
        let focus = gtk_window_get_focus(top.cast())
        change()
        guard let focus, gtk_widget_is_ancestor(focus, places.panel) != 0,
            gtk_widget_is_visible(focus) == 0 || gtk_widget_is_sensitive(focus) == 0
        else { return }
        gtk_widget_grab_focus(places.display)
    }

    private func makeParts() -> Parts? {
        guard let keys = try? CallKeys(resources: resources, calls: calls, devices: devices),
            let strip = try? CallStrip(resources: resources, calls: calls)
        else { return nil }
        keys.onKeypad = { [weak self] in self?.toggleKeypad() }
        keys.speakers.onChange = { [weak self] in self?.onDevices?() }
        gtk_container_add(gtk_widget_get_parent(places.softKeys).cast(), keys.soft)
        for left in [keys.keypad, keys.decline, keys.send] { keypad.add(left: left) }
        gtk_container_add(places.strip.cast(), strip.widget)
        let parts = Parts(keys: keys, strip: strip)
        self.parts = parts
        return parts
    }
}
