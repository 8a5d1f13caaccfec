// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A text field of a setting, which is saved with Enter and when the focus leaves the field, not with each letter.
@MainActor
final class SettingEntry {
    private let entry: UnsafeMutablePointer<GtkEntry>
    private let read: @MainActor () -> String
    private let write: @MainActor (String) -> Bool
    /// The text that the field last displayed, to distinguish unsaved input from the saved value.
    private var shown = ""

    /// Creates a field that follows a setting of type `s`, or one of type `u` with the values in a range.
    convenience init(
        _ entry: UnsafeMutablePointer<GtkEntry>, of key: String, in settings: Settings,
        range: ClosedRange<UInt32>? = nil
    ) {
        if let range {
            self.init(
                entry, read: { [weak settings] in settings.map { String($0[count: key]) } ?? "" },
                write: { [weak settings] text in
                    guard let number = UInt32(text), range.contains(number) else { return false }
                    settings?[count: key] = number
                    return true
                })
        } else {
            self.init(
                entry, read: { [weak settings] in settings?[text: key] ?? "" },
                write: { [weak settings] text in
                    settings?[text: key] = text
                    return true
                })
        }
        settings.bindWritable(key, to: entry.cast())
        settings.follow(key, until: entry.cast()) { [weak self] in self?.show() }
    }

    /// Creates a field whose owner calls `show` after each change of the saved value.
    ///
    /// - Parameter write: Saves a text, and returns false if the text is wrong.
    init(
        _ entry: UnsafeMutablePointer<GtkEntry>, read: @escaping @MainActor () -> String,
        write: @escaping @MainActor (String) -> Bool
    ) {
        (self.entry, self.read, self.write) = (entry, read, write)
        show()
        Signal.connect(entry, "activate") { [weak self] in self?.save() }
        Signal.connect(entry, "changed") { [weak self] in self?.mark(false) }
        Signal.connectEvent(entry, "focus-out-event") { [weak self] _ in
            self?.save()
            return false
        }
    }

    /// Shows the saved value, unless the user has edited the field.
    func show() {
        let saved = read()
        guard entry.text == shown else { return }
        shown = saved
        if entry.text != saved { gtk_entry_set_text(entry, saved) }
    }

    private func save() {
        let text = entry.text.trimmed
        guard text != read() else { return }
        guard write(text) else { return mark(true) }
        shown = text
        if entry.text != text { gtk_entry_set_text(entry, text) }
    }

    private func mark(_ isWrong: Bool) {
        let field: Widget = entry.cast()
        field.set(style: "error", isWrong)
    }
}

extension String {
    /// The text without surrounding blanks.
    var trimmed: String {
        let letters = unicodeScalars.drop { $0.properties.isWhitespace }
        return String(letters.reversed().drop { $0.properties.isWhitespace }.reversed().map(Character.init))
    }
}
