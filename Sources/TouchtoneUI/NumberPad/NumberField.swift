// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A text field for a number, which opens the number pad and supports undo of input from the pad and the keyboard.
///
/// The object lives as long as its entry.
@MainActor
final class NumberField {
    enum Content: Hashable {
        /// A telephone number in any notation.
        case number
        /// Digits only, such as a passcode. Digits of other scripts are converted to ASCII.
        case digits

        func accepts(_ character: Character) -> Bool {
            self == .number || ("0"..."9").contains(character)
        }

        /// Returns the part of typed or pasted text that the field accepts.
        func filtered(_ text: String) -> String {
            guard self == .digits else { return text }
            let digits = text.unicodeScalars.lazy.filter { $0.properties.numericType == .decimal }
            return String(digits.compactMap { Character($0).wholeNumberValue.map(String.init) }.joined())
        }
    }

    /// The entry, which owns this object through its signal handlers.
    let entry: UnsafeMutablePointer<GtkEntry>
    let content: Content
    private weak var pad: NumberPad?
    private var history: EditHistory
    private var isGrouping = false

    init(_ entry: UnsafeMutablePointer<GtkEntry>, taking content: Content, pad: NumberPad) {
        (self.entry, self.content, self.pad) = (entry, content, pad)
        history = EditHistory()
        history = EditHistory(text)
        gtk_entry_set_input_purpose(
            entry, content == .number ? GTK_INPUT_PURPOSE_PHONE : GTK_INPUT_PURPOSE_PIN)
        watchFocus()
        watchEditing()
    }

    var text: String { entry.text }
    private var caret: Int { Int(gtk_editable_get_position(editable)) }
    private var editable: OpaquePointer { OpaquePointer(entry) }

    // The entry holds the closures, which hold the field, so it lives as long as the entry.
    private func watchFocus() {
        let widget: Widget = entry.cast()
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

    // MARK: - Editing

    /// Inserts a text at the caret, replacing the selection.
    func insert(_ text: String) {
        edit {
            gtk_editable_delete_selection(editable)
            var position = gtk_editable_get_position(editable)
            gtk_editable_insert_text(editable, text, -1, &position)
            gtk_editable_set_position(editable, position)
        }
    }

    /// Deletes the selection, or the character before the caret if nothing is selected.
    func delete() {
        edit {
            if gtk_editable_get_selection_bounds(editable, nil, nil) != 0 {
                gtk_editable_delete_selection(editable)
            } else if caret > 0 {
                gtk_editable_delete_text(editable, gint(caret - 1), gint(caret))
            }
        }
    }

    /// Deletes the whole text, which can be undone.
    func deleteAll() {
        edit { gtk_editable_delete_text(editable, 0, -1) }
    }

    /// Deletes the whole text and the undo history.
    func forget() {
        deleteAll()
        history = EditHistory()
    }

    /// Moves the focus to the next widget of the window.
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

    /// Makes changes that are undone in one step.
    private func edit(_ changes: () -> Void) {
        isGrouping = true
        changes()
        isGrouping = false
        history.record(text)
    }
}
