// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The screen that is in the place of everything else while the phone is locked.
@MainActor
final class LockScreen {
    /// The screen, to be placed in the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let lock: Lock
    private let builder: Builder
    /// The row of dots, which has the focus at first: a screen reader then tells how many are filled.
    let row: UnsafeMutablePointer<GtkWidget>
    private let dots: UnsafeMutablePointer<GtkWidget>
    private let keys: UnsafeMutablePointer<GtkWidget>
    private let hint: UnsafeMutablePointer<GtkLabel>
    private let lockout: UnsafeMutablePointer<GtkLabel>
    /// What can be done with a call.
    private let call: LockedCall
    private var allDots: [UnsafeMutablePointer<GtkWidget>] = []

    init(resources: Resources, lock: Lock, phone: Phone) throws(GLibError) {
        self.lock = lock
        builder = try Builder(file: resources.layout("lock"))
        widget = try builder.object("lock-screen")
        row = try builder.object("row")
        dots = try builder.object("dots")
        keys = try builder.object("keys")
        hint = try builder.object("hint")
        lockout = try builder.object("lockout")
        call = try LockedCall(resources: resources, phone: phone)
        gtk_container_add(try builder.object("call-place"), call.widget)
        for digit in 0...9 {
            let key: UnsafeMutablePointer<GtkWidget> = try builder.object("digit-\(digit)")
            Signal.connect(key, "clicked") { lock.press(digit) }
        }
        let delete: UnsafeMutablePointer<GtkWidget> = try builder.object("delete")
        Signal.connect(delete, "clicked") { lock.deleteLast() }
        // As on the phone: digits run from left to right everywhere.
        gtk_widget_set_direction(keys, GTK_TEXT_DIR_LTR)
        gtk_widget_set_direction(dots, GTK_TEXT_DIR_LTR)
        drawFocus()
        show()
    }

    /// Draws the focus around the dots: an event box draws none of its own.
    private func drawFocus() {
        let (row, dots) = (row, dots)
        Signal.connectDraw(dots) { cairo in
            guard gtk_widget_has_visible_focus(row) != 0, let style = gtk_widget_get_style_context(dots)
            else {
                return
            }
            // Within the room to shake in.
            let room = 15.0
            let (width, height) = (
                gtk_widget_get_allocated_width(dots), gtk_widget_get_allocated_height(dots)
            )
            gtk_render_focus(style, cairo, room, 0, Double(width) - 2 * room, Double(height))
        }
    }

    /// Shows what the lock is at.
    func show() {
        showDots()
        gtk_widget_set_sensitive(keys, lock.takesKeys ? 1 : 0)
        let message = LockMessage(lock)
        Self.show(message.hint, in: hint)
        Self.show(message.lockout, in: lockout)
    }

    /// Shows what the calls are at.
    func showCall() { call.show() }

    private static func show(_ text: String, in label: UnsafeMutablePointer<GtkLabel>) {
        if String(cString: gtk_label_get_text(label)) != text { gtk_label_set_text(label, text) }
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
        for (index, dot) in allDots.enumerated() { Self.set("filled", on: dot, index < filled) }
        // The style sheet shakes it, unless the desktop asks for reduced motion.
        Self.set("shake", on: dots, lock.state == .refused)
        // The first key that is typed shows the focus too, and GTK draws nothing again for that.
        gtk_widget_queue_draw(dots)
        cgtk_widget_set_accessible(
            row, nil,
            localized(
                "{entered} of {length} digits entered", ["entered": "\(filled)", "length": "\(lock.length)"]))
    }

    private func makeDots() {
        for dot in allDots { gtk_widget_destroy(dot) }
        allDots = (0..<lock.length).compactMap { _ in gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) }
        for dot in allDots {
            Self.set("dot", on: dot, true)
            gtk_container_add(dots.cast(), dot)
            gtk_widget_show(dot)
        }
    }

    private static func set(_ style: String, on widget: UnsafeMutablePointer<GtkWidget>, _ isOn: Bool) {
        let context = gtk_widget_get_style_context(widget)
        if isOn {
            gtk_style_context_add_class(context, style)
        } else {
            gtk_style_context_remove_class(context, style)
        }
    }
}

// MARK: - The keyboard

extension LockScreen {
    /// A key of the keyboard goes down; one that repeats itself does nothing.
    ///
    /// - Returns: whether it was for the lock.
    func keyPressed(_ event: GdkEventKey, isRepeat: Bool) -> Bool {
        guard let key = Keyboard.lockKey(for: event) else { return false }
        guard !isRepeat else { return true }
        switch key {
        case .digit(let digit): lock.press(digit)
        case .delete: lock.deleteLast()
        }
        return true
    }
}

/// What the lock screen has to say, beside its dots.
struct LockMessage: Hashable {
    /// What may be of help.
    var hint = ""
    /// Why the keys do not work.
    var lockout = ""

    @MainActor
    init(_ lock: Lock) {
        switch lock.state {
        case .open: break
        case .lockedOut(let seconds):
            lockout = localizedPlural(
                "{count} failed attempt\nTry again in {time}", "{count} failed attempts\nTry again in {time}",
                Attempts.round, ["time": Countdown.text(seconds: seconds)])
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
        let left = attempts.leftInRound
        guard attempts.failures > 0, left < Attempts.round,
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
