// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A key of the keypad: a button that acts when it is pressed.
///
/// `GtkButton` acts on release, when a click is complete. This class replaces its pointer and touch handling; the
/// button only provides the focus, the appearance, and the `clicked` signal that assistive tools emit.
@MainActor
final class KeyButton {
    let key: KeypadKey
    private let button: GObjectRef
    private let phone: Phone
    /// The strip in place of the letters; made when it is first needed.
    private var strip: KeyStripView?
    private var isBeside = false
    private var stripHeight = -1

    init(_ button: Widget, key: KeypadKey, phone: Phone) {
        self.key = key
        self.button = GObjectRef(retaining: button)
        self.phone = phone
        gtk_widget_add_events(
            button,
            gint(GDK_TOUCH_MASK.rawValue | GDK_ENTER_NOTIFY_MASK.rawValue | GDK_LEAVE_NOTIFY_MASK.rawValue))
        watchPointer(button)
        watchTouch(button)
        Signal.connect(button, "clicked") { phone.press(key, by: .accessibility) }
        Signal.connect(button, "unmap") { phone.keyGone(key) }
    }

    func show(down: Bool) { (button.cast() as Widget).set(style: "down", down) }

    /// Shows a strip in place of the letters, without a change of the key's size; nil shows the letters.
    func show(strip shown: KeyStrip?) {
        let button: Widget = button.cast()
        guard shown != nil || strip != nil, let legend = gtk_bin_get_child(button.cast()) else { return }
        let strip = strip ?? makeStrip(in: legend)
        strip.show(shown)
        button.set(style: "named", shown != nil)
        button.setAccessible(
            name: [key.accessibleName, shown?.text ?? ""].filter { !$0.isEmpty }.joined(separator: ", "))
        button.setAccessible(description: shown?.lamp.text ?? "")
    }

    private func makeStrip(in legend: Widget) -> KeyStripView {
        let made = KeyStripView(in: legend)
        strip = made
        made.place(beside: isBeside, height: stripHeight)
        // The key 1 has had no letters to place.
        Self.set(lettersOf: button.cast(), areBeside: isBeside)
        return made
    }

    /// Sets the height, the place of the letters, and the height of a strip.
    func set(_ sizes: PhoneSizes) {
        let button: Widget = button.cast()
        gtk_widget_set_size_request(button, -1, gint(sizes.key))
        Self.set(lettersOf: button, areBeside: sizes.hasLettersBeside)
        (isBeside, stripHeight) = (sizes.hasLettersBeside, sizes.strip)
        strip?.place(beside: isBeside, height: stripHeight)
    }

    /// Places the letters of a key beside its digit or below it; a key without letters stays as it is.
    static func set(lettersOf button: Widget, areBeside: Bool) {
        guard let legend = gtk_bin_get_child(button.cast()), legend.children.count > 1 else { return }
        gtk_orientable_set_orientation(
            OpaquePointer(legend), areBeside ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        gtk_widget_set_halign(legend, areBeside ? GTK_ALIGN_CENTER : GTK_ALIGN_FILL)
        gtk_box_set_spacing(legend.cast(), areBeside ? 6 : 0)
    }

    var hasFocus: Bool { gtk_widget_is_focus(button.cast()) != 0 }

    private func watchPointer(_ button: Widget) {
        let (key, phone) = (key, phone)
        Signal.connectEvent(button, "button-press-event") { event in
            guard event.pointee.button.button == GDK_BUTTON_PRIMARY else { return false }
            // GTK reports the second press of a double click twice, the second time with a different event type.
            if event.pointee.type == GDK_BUTTON_PRESS { phone.press(key, by: .pointer) }
            gtk_widget_grab_focus(button)
            return true
        }
        Signal.connectEvent(button, "button-release-event") { event in
            guard event.pointee.button.button == GDK_BUTTON_PRIMARY else { return false }
            phone.release(by: .pointer)
            return true
        }
        Signal.connectEvent(button, "enter-notify-event") { _ in
            phone.expectPress()
            return false
        }
        Signal.connectEvent(button, "leave-notify-event") { _ in
            phone.release(by: .pointer)
            return false
        }
        Signal.connectEvent(button, "grab-broken-event") { _ in
            phone.release(by: .pointer)
            return false
        }
    }

    private func watchTouch(_ button: Widget) {
        let (key, phone) = (key, phone)
        Signal.connectEvent(button, "touch-event") { event in
            let sequence = UInt(bitPattern: gdk_event_get_event_sequence(event))
            let touch = event.pointee.touch
            switch touch.type {
            case GDK_TOUCH_BEGIN:
                phone.press(key, by: .touch(sequence: sequence))
            case GDK_TOUCH_UPDATE:
                if !Self.isInside(touch, button) { phone.release(by: .touch(sequence: sequence)) }
            default:
                phone.release(by: .touch(sequence: sequence))
            }
            return true
        }
    }

    private static func isInside(_ touch: GdkEventTouch, _ widget: Widget) -> Bool {
        let width = Double(gtk_widget_get_allocated_width(widget))
        let height = Double(gtk_widget_get_allocated_height(widget))
        return (0..<width).contains(touch.x) && (0..<height).contains(touch.y)
    }
}
