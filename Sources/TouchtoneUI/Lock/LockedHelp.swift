// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The emergency call on the lock screen: a key opens a keypad, whose digits are those of the passcode.
@MainActor
final class LockedHelp {
    let pad: EmergencyPad
    var onChange: (@MainActor () -> Void)?
    private let title: Widget
    private let passcodeTitle: String
    private let entry, passcodeRow, numberRow, number, keys, open, back, call: Widget
    private var wasOpen = false

    init(_ builder: Builder, phone: Phone, passcodeRow: Widget) throws(GLibError) {
        pad = EmergencyPad(phone, clock: MainLoopScheduler())
        self.passcodeRow = passcodeRow
        (title, entry) = (try builder.object("title"), try builder.object("entry"))
        (numberRow, number) = (try builder.object("emergency-row"), try builder.object("emergency-number"))
        (keys, open) = (try builder.object("emergency-keys"), try builder.object("emergency"))
        (back, call) = (try builder.object("emergency-back"), try builder.object("emergency-call"))
        passcodeTitle = title.text
        gtk_widget_set_direction(keys, GTK_TEXT_DIR_LTR)
        gtk_widget_set_direction(number, GTK_TEXT_DIR_LTR)
        pad.onChange = { [weak self] in self?.onChange?() }
        Signal.connect(open, "clicked") { [pad] in pad.open() }
        Signal.connect(back, "clicked") { [pad] in pad.close() }
        Signal.connect(call, "clicked") { [pad] in pad.call() }
    }

    /// - Parameter hasCall: Whether the keys of a call are shown in the place of this one's.
    func show(hasCall: Bool) {
        keys.isVisible = !hasCall
        open.isVisible = !pad.isOpen
        back.isVisible = pad.isOpen
        call.isVisible = pad.isOpen
        gtk_widget_set_sensitive(call, pad.canCall ? 1 : 0)
        number.text = pad.number.text
        numberRow.setAccessible(description: pad.number.text)
        guard wasOpen != pad.isOpen else { return }
        wasOpen = pad.isOpen
        title.text = pad.isOpen ? localized("Emergency Call") : passcodeTitle
        let row = pad.isOpen ? numberRow : passcodeRow
        gtk_stack_set_visible_child(entry.cast(), row)
        gtk_widget_grab_focus(row)
    }

    /// Handles Return, which calls, and Escape, which closes the pad; returns whether it was one of them.
    func keyPressed(_ event: GdkEventKey, isRepeat: Bool) -> Bool {
        guard pad.isOpen else { return false }
        switch Int32(bitPattern: event.keyval) {
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            // A focused button acts by itself.
            guard gtk_widget_has_focus(numberRow) != 0 else { return false }
            if !isRepeat { pad.call() }
        case GDK_KEY_Escape: if !isRepeat { pad.close() }
        default: return false
        }
        return true
    }
}
