// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A paper strip on a key, with what its memory key holds, and the lamp over it.
struct KeyStrip: Hashable {
    let text: String
    var isEmpty = false
    /// The state of the key’s extension; unknown also if the key watches none.
    var lamp = ExtensionState.unknown
}

/// A key of the keypad: a button that acts when it is pressed.
///
/// `GtkButton` acts on release, when a click is complete. This class replaces its pointer and touch handling; the
/// button only provides the focus, the appearance, and the `clicked` signal that assistive tools emit.
@MainActor
final class KeyButton {
    let key: KeypadKey
    private let button: GObjectRef
    private let phone: Phone
    /// The label of the strip, the lamp and its word; made when they are first needed.
    private var strip: (paper: Widget, lamp: Widget, word: Widget)?
    private var isBeside = false
    private var shown: KeyStrip?

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

    /// Shows a strip in place of the letters, at the same height; nil shows the letters.
    func show(strip shown: KeyStrip?) {
        let button: Widget = button.cast()
        guard shown != nil || strip != nil, let legend = gtk_bin_get_child(button.cast()) else { return }
        self.shown = shown
        let strip = strip ?? makeStrip(in: legend)
        for part in legend.children.dropFirst() { part.isVisible = (part == strip.paper) == (shown != nil) }
        button.set(style: "named", shown != nil)
        let word = shown?.lamp.word ?? ""
        // Beside the digit there is no room for another word.
        strip.word.isVisible = !isBeside && !word.isEmpty
        strip.word.text = word
        strip.paper.text = [isBeside ? word : "", shown?.text ?? ""].filter { !$0.isEmpty }.joined(
            separator: " ")
        strip.paper.set(style: "none", shown?.isEmpty == true)
        strip.lamp.isVisible = shown != nil
        for state in ExtensionState.allCases {
            strip.lamp.set(style: state.style, state == shown?.lamp && state != .unknown)
        }
        button.setAccessible(
            name: [key.accessibleName, shown?.text ?? ""].filter { !$0.isEmpty }.joined(separator: ", "))
        button.setAccessible(description: shown?.lamp.text ?? "")
    }

    /// Puts the strip under the digit, and at both sides of the digit the lamp and its word, so that the key keeps its size.
    private func makeStrip(in legend: Widget) -> (paper: Widget, lamp: Widget, word: Widget) {
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        let lamp = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, style: "key-lamp")
        gtk_widget_set_valign(lamp, GTK_ALIGN_CENTER)
        let word = Widget.cutLabel(style: "letters")
        word.set(style: "key-word", true)
        gtk_label_set_width_chars(word.cast(), 1)
        gtk_label_set_max_width_chars(word.cast(), 5)
        if let digit = legend.children.first {
            let held = GObjectRef(retaining: digit)
            gtk_container_remove(legend.cast(), digit)
            gtk_box_set_center_widget(row.cast(), held.cast())
        }
        gtk_box_pack_start(row.cast(), lamp, 0, 0, 0)
        gtk_box_pack_end(row.cast(), word, 0, 0, 0)
        legend.add(row)
        gtk_box_reorder_child(legend.cast(), row, 0)
        row.isVisible = true
        let parts = (makePaper(in: legend), lamp, word)
        strip = parts
        // The key 1 has had no letters to place.
        Self.set(lettersOf: button.cast(), areBeside: isBeside)
        return parts
    }

    private func makePaper(in legend: Widget) -> Widget {
        let label = Widget.cutLabel(style: "letters")
        label.set(style: "strip-paper", true)
        gtk_label_set_xalign(label.cast(), 0.5)
        // The text must not ask for more room than the key has.
        gtk_label_set_width_chars(label.cast(), 1)
        gtk_label_set_max_width_chars(label.cast(), 8)
        legend.add(label)
        return label
    }

    /// Sets the height, and whether the letters stand beside the digit or below it.
    func set(height: Int, hasLettersBeside: Bool) {
        let button: Widget = button.cast()
        gtk_widget_set_size_request(button, -1, gint(height))
        Self.set(lettersOf: button, areBeside: hasLettersBeside)
        isBeside = hasLettersBeside
        if shown != nil { show(strip: shown) }
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
