// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The screen that replaces the window's content while the phone is locked.
@MainActor
final class LockScreen {
    let widget: Widget
    private let lock: Lock
    private let builder: Builder
    /// The row of dots, which has the initial focus so that a screen reader announces how many are filled.
    let row: Widget
    private let dots, keys: Widget
    private let hint, lockout: UnsafeMutablePointer<GtkLabel>
    private let call: LockedCall
    private let column: LockColumn
    /// The keypad for emergency numbers, which takes the keys while it is open.
    private let help: LockedHelp
    private var allDots: [Widget] = []

    init(resources: Resources, lock: Lock, phone: Phone, shown: LockDisplay.Source) throws(GLibError) {
        self.lock = lock
        builder = try Builder(file: resources.layout("lock"))
        widget = try builder.object("lock-screen")
        row = try builder.object("row")
        dots = try builder.object("dots")
        keys = try builder.object("keys")
        hint = try builder.object("hint")
        lockout = try builder.object("lockout")
        column = try LockColumn(builder, LockDisplay(shown, resources: resources))
        call = try LockedCall(resources: resources, phone: phone)
        gtk_container_add(try builder.object("call-place"), call.widget)
        help = try LockedHelp(builder, phone: phone, passcodeRow: row)
        for digit in 0...9 {
            try builder.connect("digit-\(digit)", "clicked") { [weak self] in self?.press(.digit(digit)) }
        }
        try builder.connect("delete", "clicked") { [weak self] in self?.press(.delete) }
        help.onChange = { [weak self] in self?.show() }
        // Digits run from left to right in every locale, as on the phone's keypad.
        gtk_widget_set_direction(keys, GTK_TEXT_DIR_LTR)
        gtk_widget_set_direction(dots, GTK_TEXT_DIR_LTR)
        drawFocus()
        show()
    }

    /// Draws the focus ring around the dots, because an event box draws none.
    private func drawFocus() {
        let (row, dots) = (row, dots)
        Signal.connectDraw(dots) { cairo in
            guard gtk_widget_has_visible_focus(row) != 0, let style = gtk_widget_get_style_context(dots)
            else { return }
            // The horizontal margin, in pixels, that the shake animation moves the dots in.
            let margin = 15.0
            let (width, height) = (
                gtk_widget_get_allocated_width(dots), gtk_widget_get_allocated_height(dots)
            )
            gtk_render_focus(style, cairo, margin, 0, Double(width) - 2 * margin, Double(height))
        }
    }

    func show() {
        showDots()
        help.show(hasCall: call.widget.isVisible)
        gtk_widget_set_sensitive(keys, lock.takesKeys || help.pad.isOpen ? 1 : 0)
        let message = LockMessage(lock, help.pad)
        (hint.cast() as Widget).set(style: "cannot-reach", help.pad.message == .cannotReachHelp)
        Self.show(message.hint, in: hint)
        Self.show(message.lockout, in: lockout, isCounting: true)
    }

    func showCall() {
        call.show()
        show()
    }

    private static func show(
        _ text: String, in label: UnsafeMutablePointer<GtkLabel>, isCounting: Bool = false
    ) {
        // The countdown changes each second; only its beginning is announced.
        let isNew = gtk_widget_get_visible(label.cast()) == 0 || !isCounting
        if String(cString: gtk_label_get_text(label)) != text {
            gtk_label_set_text(label, text)
            if isNew { (label.cast() as Widget).announce(text) }
        }
        gtk_widget_set_visible(label.cast(), text.isEmpty ? 0 : 1)
    }

    private func showDots() {
        if allDots.count != lock.length { makeDots() }
        let filled =
            switch lock.state {
            case .locked(let entered): entered
            case .checking, .refused: lock.length
            case .open, .lockedOut, .unusable: 0
            }
        for (index, dot) in allDots.enumerated() { dot.set(style: "filled", index < filled) }
        // The style sheet animates this class, unless the desktop asks for reduced motion.
        dots.set(style: "shake", lock.state == .refused)
        // The first key press makes the focus visible, for which GTK does not redraw the widget.
        gtk_widget_queue_draw(dots)
        // The row has the focus: a screen reader speaks each change.
        row.setAccessible(
            description: localized(
                "{entered} of {length} digits entered", ["entered": "\(filled)", "length": "\(lock.length)"]))
    }

    private func makeDots() {
        for dot in allDots { gtk_widget_destroy(dot) }
        allDots = (0..<lock.length).map { _ in Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "dot") }
        for dot in allDots {
            gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
            gtk_container_add(dots.cast(), dot)
            gtk_widget_show(dot)
        }
    }

    // MARK: - Keyboard

    /// Handles a key press, and ignores auto-repeat; returns whether the key is a digit or Delete.
    func keyPressed(_ event: GdkEventKey, isRepeat: Bool) -> Bool {
        guard let key = Keyboard.lockKey(for: event) else {
            return help.keyPressed(event, isRepeat: isRepeat)
        }
        if !isRepeat { press(key) }
        return true
    }

    private func press(_ key: Keyboard.LockKey) {
        switch key {
        case .digit(let digit): if help.pad.isOpen { help.pad.press(digit) } else { lock.press(digit) }
        case .delete: if help.pad.isOpen { help.pad.deleteLast() } else { lock.deleteLast() }
        }
    }
}

struct LockMessage: Hashable {
    /// The hint, for example the number of attempts that are left; empty if there is none.
    var hint = ""
    /// The reason why the keys are disabled; empty if they are not.
    var lockout = ""

    @MainActor
    init(_ lock: Lock, _ pad: EmergencyPad) {
        guard !pad.isOpen else {
            switch pad.message {
            case .hint: hint = localized("Only emergency numbers can be called from here.")
            case .complete: hint = localized("This is an emergency number.")
            case .cannotReachHelp:
                hint = localized("This phone cannot reach help now. Use another telephone.")
            }
            return
        }
        switch lock.state {
        case .open: break
        case .lockedOut(let seconds):
            lockout = localizedPlural(
                "{count} failed attempt\nTry again in {time}", "{count} failed attempts\nTry again in {time}",
                Attempts.perLockout, ["time": DurationText.text(seconds: seconds)])
        case .unusable(.unread): hint = PasscodeFault.unread.text
        case .unusable(let fault):
            hint = localized(
                "{problem} To start over without a passcode, quit Touchtone and delete {files}.",
                ["problem": fault.text, "files": Self.list(lock.files)])
        case .locked, .checking, .refused:
            hint = lock.trouble?.text ?? Self.attempts(lock.attempts)
        }
    }

    private static func attempts(_ attempts: Attempts) -> String {
        let left = attempts.leftBeforeLockout
        guard attempts.failures > 0, left < Attempts.perLockout,
            let wait = Attempts.wait(after: attempts.failures + left)
        else { return "" }
        return localizedPlural(
            "{count} attempt left before a {minutes}-minute wait",
            "{count} attempts left before a {minutes}-minute wait", left,
            ["minutes": localizedNumber(Int(wait.components.seconds / 60))])
    }

    private static func list(_ files: [String]) -> String {
        guard files.count == 2 else { return localizedList(files) }
        return localizedIn("files", "{first} and {second}", ["first": files[0], "second": files[1]])
    }
}
