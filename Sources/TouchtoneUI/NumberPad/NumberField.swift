// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A text field that takes a number: it opens the number pad, and can take back what was typed, on either of them.
///
/// It lives as long as its entry does.
@MainActor
final class NumberField {
    /// What the field takes.
    enum Content: Hashable {
        /// A telephone number, in any way of writing it.
        case number
        /// Digits alone, such as a passcode; the digits of other scripts become those of ASCII.
        case digits

        /// Whether a key with the character is of use.
        func accepts(_ character: Character) -> Bool {
            self == .number || ("0"..."9").contains(character)
        }

        /// What is left of a text that is typed or pasted.
        func filtered(_ text: String) -> String {
            guard self == .digits else { return text }
            let digits = text.unicodeScalars.lazy.filter { $0.properties.numericType == .decimal }
            return String(digits.compactMap { Character($0).wholeNumberValue.map(String.init) }.joined())
        }
    }

    /// The entry; it is there as long as its signals come.
    let entry: UnsafeMutablePointer<GtkEntry>
    let content: Content
    private weak var pad: NumberPad?
    private var history: EditHistory
    private var isGrouping = false

    init(_ entry: UnsafeMutablePointer<GtkEntry>, taking content: Content, pad: NumberPad) {
        self.entry = entry
        self.content = content
        self.pad = pad
        history = EditHistory()
        history = EditHistory(text)
        gtk_entry_set_input_purpose(
            entry, content == .number ? GTK_INPUT_PURPOSE_PHONE : GTK_INPUT_PURPOSE_PIN)
        watchFocus()
        watchEditing()
    }

    /// What is in the field.
    var text: String { gtk_entry_get_text(entry).map { String(cString: $0) } ?? "" }
    private var caret: Int { Int(gtk_editable_get_position(editable)) }
    private var editable: OpaquePointer { OpaquePointer(entry) }

    // The closures hold the field, and the entry holds the closures.
    private func watchFocus() {
        let widget: UnsafeMutablePointer<GtkWidget> = entry.cast()
        Signal.connectEvent(widget, "focus-in-event") { [self] _ in
            pad?.focusCame(to: self)
            return false
        }
        Signal.connectEvent(widget, "focus-out-event") { [self] _ in
            let window: UnsafeMutablePointer<GtkWindow>? = gtk_widget_get_toplevel(widget)?.cast()
            pad?.focusWent(
                from: self, withWindow: window.map { gtk_window_has_toplevel_focus($0) == 0 } ?? false)
            return false
        }
        Signal.connectEvent(widget, "button-press-event") { [self] event in
            let device = gdk_event_get_source_device(event)
            let isTouch = device.map { gdk_device_get_source($0) == GDK_SOURCE_TOUCHSCREEN } ?? false
            pad?.pressed(self, byTouch: isTouch)
            return false
        }
        Signal.connectEvent(widget, "touch-event") { [self] event in
            if event.pointee.type == GDK_TOUCH_BEGIN { pad?.pressed(self, byTouch: true) }
            return false
        }
        Signal.connectNotify(widget, "size-allocate") { [self] in pad?.moved(self) }
        for end in ["unmap", "destroy"] {
            Signal.connect(widget, end) { [self] in pad?.gone(self) }
        }
    }

    private func watchEditing() {
        Signal.connectEvent(entry, "key-press-event") { [self] in keyPressed($0.pointee.key) }
        Signal.connect(entry, "changed") { [self] in
            if !isGrouping { history.record(text) }
        }
        if content == .digits { Signal.connectInsertion(editable) { [content] in content.filtered($0) } }
    }

    private func keyPressed(_ event: GdkEventKey) -> Bool {
        let modifiers = event.state & gtk_accelerator_get_default_mod_mask().rawValue
        let (control, shift) = (GDK_CONTROL_MASK.rawValue, GDK_SHIFT_MASK.rawValue)
        if Int32(bitPattern: event.keyval) == GDK_KEY_Escape, modifiers == 0 {
            guard let pad, pad.field === self else { return false }
            pad.finish()
            return true
        }
        guard modifiers & control != 0 else { return false }
        switch (Keyboard.latinLetter(of: event), modifiers) {
        case ("z", control): undo()
        case ("z", control | shift), ("y", control): redo()
        default: return false
        }
        return true
    }
}

// MARK: - Editing

extension NumberField {
    /// Types a text at the caret, in place of what is selected.
    func insert(_ text: String) {
        edit {
            gtk_editable_delete_selection(editable)
            var position = gtk_editable_get_position(editable)
            gtk_editable_insert_text(editable, text, -1, &position)
            gtk_editable_set_position(editable, position)
        }
    }

    /// Takes away what is selected, or else the character before the caret.
    func delete() {
        edit {
            if gtk_editable_get_selection_bounds(editable, nil, nil) != 0 {
                gtk_editable_delete_selection(editable)
            } else if caret > 0 {
                gtk_editable_delete_text(editable, gint(caret - 1), gint(caret))
            }
        }
    }

    /// Takes everything away; that can be undone.
    func deleteAll() {
        edit { gtk_editable_delete_text(editable, 0, -1) }
    }

    /// Empties the field and forgets what was in it.
    func forget() {
        deleteAll()
        history = EditHistory()
    }

    /// Lets the next widget of the window have the focus.
    func giveFocusUp() {
        guard let window = gtk_widget_get_toplevel(entry.cast()) else { return }
        gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD)
    }

    private func undo() { if let moment = history.undo() { show(moment) } }

    private func redo() { if let moment = history.redo() { show(moment) } }

    private func show(_ moment: EditHistory.Moment) {
        edit {
            gtk_entry_set_text(entry, moment.text)
            gtk_editable_set_position(editable, gint(moment.caret))
        }
    }

    /// Makes several changes that are one to the history.
    private func edit(_ changes: () -> Void) {
        isGrouping = true
        changes()
        isGrouping = false
        history.record(text)
    }
}
