// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The widgets for the fields of a room's form.
@MainActor
final class RoomFormFields {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
    private let original: RoomForm
    /// The functions that read the answers, by the index of the field.
    private var readers: [Int: @MainActor () -> RoomForm.Answer] = [:]

    private let pictures: [String: [UInt8]]

    /// - Parameter pictures: The files of pictures to show above fields, by the names of these.
    init(_ form: RoomForm, pictures: [String: [UInt8]] = [:]) {
        (original, self.pictures) = (form, pictures)
        if !form.instructions.isEmpty { widget.add(Widget.wrappedLabel(form.instructions)) }
        for (index, field) in form.fields.enumerated() { readers[index] = add(field) }
    }

    /// The form with the user's answers.
    var form: RoomForm {
        var form = original
        for (index, read) in readers { form.fields[index].answer = read() }
        return form
    }

    /// Adds the widgets of a field, and returns the function that reads its answer; nil if it has none.
    private func add(_ field: RoomForm.Field) -> (@MainActor () -> RoomForm.Answer)? {
        if let file = pictures[field.name] { addPicture(file, of: field.label) }
        switch field.answer {
        case .hidden: return nil
        case .note:
            widget.add(Widget.wrappedLabel(field.label))
            return nil
        case .toggle(let isOn):
            let check = addCheck(field.label, isOn: isOn)
            return { .toggle(Self.isOn(check)) }
        case .line(let text):
            let entry = addEntry(field.label, text)
            return { .line(entry.entryText) }
        case .secret(let text):
            let entry = addEntry(field.label, text)
            gtk_entry_set_visibility(entry.cast(), 0)
            return { .secret(entry.entryText) }
        case .lines(let lines): return addLines(field.label, lines)
        case .one(let value, let options): return addChoice(field.label, value, options)
        case .any(let values, let options):
            let group = addGroup(field.label)
            let checks = options.map { option in
                (option.value, addCheck(option.label, isOn: values.contains(option.value), to: group))
            }
            return { .any(Set(checks.filter { Self.isOn($0.1) }.map(\.0)), of: options) }
        }
    }

    private func addPicture(_ file: [UInt8], of label: String) {
        let image: Widget = gtk_image_new()
        gtk_widget_set_halign(image, GTK_ALIGN_START)
        cgtk_widget_set_accessible(image, localized("Picture: {name}", ["name": label]), nil)
        widget.add(image)
        let scale = Int(gtk_widget_get_scale_factor(widget))
        let held = GObjectRef(retaining: image)
        Task {
            // The window may be gone by then.
            guard let picture = await PictureLoader.load(file, maximumSide: 260, scale: scale) else { return }
            gtk_image_set_from_surface(held.cast(), picture.surface)
        }
    }

    private func addEntry(_ name: String, _ text: String) -> Widget {
        let entry: Widget = gtk_entry_new()
        // Longer texts are not shown, so none is cut.
        gtk_entry_set_max_length(entry.cast(), 2000)
        gtk_entry_set_text(entry.cast(), text)
        gtk_entry_set_width_chars(entry.cast(), 8)
        gtk_entry_set_activates_default(entry.cast(), 1)
        cgtk_widget_set_accessible(entry, name, nil)
        widget.add(Widget.wrappedLabel(name, style: "ask-name"))
        widget.add(entry)
        return entry
    }

    private func addLines(_ name: String, _ lines: [String]) -> @MainActor () -> RoomForm.Answer {
        let view: Widget = gtk_text_view_new()
        gtk_text_view_set_wrap_mode(view.cast(), GTK_WRAP_WORD_CHAR)
        // Tab moves the focus, as in the other fields.
        gtk_text_view_set_accepts_tab(view.cast(), 0)
        gtk_widget_set_size_request(view, -1, 56)
        cgtk_widget_set_accessible(view, name, nil)
        let buffer = gtk_text_view_get_buffer(view.cast())
        let before = lines.joined(separator: "\n")
        gtk_text_buffer_set_text(buffer, before, -1)
        let frame: Widget = gtk_frame_new(nil)
        gtk_container_add(frame.cast(), view)
        widget.add(Widget.wrappedLabel(name, style: "ask-name"))
        widget.add(frame)
        return {
            let text = buffer?.text ?? ""
            // Empty lines that the room has stored stay until the text is changed.
            return .lines(text == before ? lines : text.split(separator: "\n").map { String($0) })
        }
    }

    /// Adds radio buttons: a wheel over a combo box would change the answer while the form is scrolled.
    private func addChoice(
        _ name: String, _ value: String, _ options: [RoomForm.Option]
    ) -> @MainActor () -> RoomForm.Answer {
        let group = addGroup(name)
        var shown = options
        if !options.contains(where: { $0.value == value }) {
            // One of the buttons is always active.
            shown.insert(RoomForm.Option(value, label: localizedIn("in a form", "None")), at: 0)
        }
        var first: Widget?
        let buttons = shown.map { option in
            let leader: UnsafeMutablePointer<GtkRadioButton>? = first?.cast()
            let button: Widget = gtk_radio_button_new_with_label_from_widget(leader, option.label)
            first = first ?? button
            Self.wrapLabel(of: button)
            gtk_toggle_button_set_active(button.cast(), option.value == value ? 1 : 0)
            group.add(button)
            return (option.value, button)
        }
        return { .one(buttons.first { Self.isOn($0.1) }?.0 ?? value, of: options) }
    }

    private func addCheck(_ name: String, isOn: Bool, to box: Widget? = nil) -> Widget {
        let check: Widget = gtk_check_button_new_with_label(name)
        Self.wrapLabel(of: check)
        gtk_toggle_button_set_active(check.cast(), isOn ? 1 : 0)
        (box ?? widget).add(check)
        return check
    }

    private func addGroup(_ name: String) -> Widget {
        let group = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        cgtk_widget_set_accessible(group, name, nil)
        widget.add(Widget.wrappedLabel(name, style: "ask-name"))
        widget.add(group)
        return group
    }

    private static func isOn(_ button: Widget) -> Bool { gtk_toggle_button_get_active(button.cast()) != 0 }

    private static func wrapLabel(of button: Widget) {
        if let label = gtk_bin_get_child(button.cast()) { label.wrapText() }
    }
}
