// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The form that edits a contact; its content stays until the user saves or discards it.
@MainActor
final class ContactEditor {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    /// The action that leaves the form; its content stays as a draft.
    var onBack: (@MainActor () -> Void)?
    var onDiscard: (@MainActor () -> Void)?
    /// The action that saves a card; if it throws, the form keeps its content and shows the error.
    var onSave: (@MainActor (ContactCard, PhotoChange) async throws(StoreError) -> Void)?

    private let pad: NumberPad
    private let back = Widget.iconButton(
        "go-previous-symbolic", name: localized("Back, keeping the draft"),
        tip: localized("Back; your draft is kept (Esc)"))
    private let title = Widget.cutLabel(style: "card-title")
    private let photo: PhotoField
    private let name: Widget = gtk_entry_new()
    private let organization: Widget = gtk_entry_new()
    private let methods = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
    private let adders = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
    private let note: Widget = gtk_text_view_new()
    private let problem = Widget.label(style: "problem")
    private let save = Widget.button(localized("Save"), style: "panel-key", "accept")
    private let discard = Widget.button(localized("Discard"), style: "panel-key")
    private let form = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "card")
    private var fields: [ContactMethodFields] = []
    private var base = ContactDraft()
    private var isSaving = false

    init(pad: NumberPad, navigator: (any Navigator)?) {
        self.pad = pad
        photo = PhotoField(navigator: navigator)
        setUp(name, localized("Name"), maximum: ContactCard.maximumTextLength)
        setUp(organization, localized("Company"), maximum: ContactCard.maximumTextLength)
        build()
        photo.onProblem = { [weak self] in self?.show(problem: $0) }
        Signal.connect(name, "changed") { [weak self] in
            if let self { photo.name = name.entryText }
        }
        Signal.connect(back, "clicked") { [weak self] in self?.onBack?() }
        Signal.connect(save, "clicked") { [weak self] in self?.trySave() }
        Signal.connect(discard, "clicked") { [weak self] in self?.onDiscard?() }
    }

    /// Fills the form with a draft; `photo` reads the saved picture, nil if there is none.
    func begin(_ draft: ContactDraft, title: String, photo: @escaping @MainActor () async -> [UInt8]?) {
        base = draft
        self.title.text = title
        gtk_entry_set_text(name.cast(), draft.name)
        gtk_entry_set_text(organization.cast(), draft.organization)
        gtk_text_buffer_set_text(gtk_text_view_get_buffer(note.cast()), draft.note, -1)
        for field in fields { gtk_widget_destroy(field.widget) }
        fields = []
        let methods = draft.methods.isEmpty ? [ContactMethod(.number, "", label: .mobile)] : draft.methods
        for method in methods { addFields(for: method) }
        self.photo.name = draft.name
        self.photo.begin(draft, photo: photo)
        show(problem: "")
        setSaving(false)
    }

    var draft: ContactDraft {
        var draft = base
        draft.name = name.entryText
        draft.organization = organization.entryText
        draft.methods = fields.map(\.method)
        draft.note = gtk_text_view_get_buffer(note.cast()).text
        draft.photo = photo.change
        return draft
    }

    func focus() { gtk_widget_grab_focus(name) }

    /// Saves the content if it is a valid contact; otherwise shows the error at the field that has it.
    func trySave() {
        guard !isSaving else { return }
        let draft = draft
        do throws(ContactDraft.ValidationError) {
            let card = try draft.card()
            setSaving(true)
            show(problem: "")
            Task { [weak self] in
                do throws(StoreError) {
                    try await self?.onSave?(card, draft.photo)
                } catch {
                    self?.show(problem: PlainText.line(error.text(of: .contacts), maximum: 400))
                }
                self?.setSaving(false)
            }
        } catch {
            show(problem: ContactStrings.text(error, in: draft))
            focusField(of: error)
        }
    }

    private func setSaving(_ isSaving: Bool) {
        self.isSaving = isSaving
        for part in [form, save, discard] { gtk_widget_set_sensitive(part, isSaving ? 0 : 1) }
    }

    private func show(problem text: String) {
        problem.text = text
        problem.isVisible = !text.isEmpty
        problem.announce(text)
    }

    private func focusField(of error: ContactDraft.ValidationError) {
        switch error {
        case .empty, .tooLong(.name, _): gtk_widget_grab_focus(name)
        case .tooLong(.organization, _): gtk_widget_grab_focus(organization)
        case .tooLong(.note, _): gtk_widget_grab_focus(note)
        case .tooManyMethods: fields.last?.focus()
        case .notANumber(let index), .numberTooLong(let index), .notASIPAddress(let index),
            .notAJabberAddress(let index), .methodTooLong(let index):
            fields[index].setWrong(true)
            fields[index].focus()
        }
    }

    // MARK: - Fields

    private func setUp(_ entry: Widget, _ name: String, maximum: Int) {
        PanelEntry.dress(entry)
        gtk_entry_set_width_chars(entry.cast(), 8)
        gtk_entry_set_max_length(entry.cast(), gint(maximum))
        cgtk_widget_set_accessible(entry, name, nil)
        Signal.connect(entry, "activate") { [weak self] in self?.trySave() }
        Signal.connect(entry, "changed") { [weak self] in self?.show(problem: "") }
    }

    private func build() {
        let top = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        top.add(back)
        top.add(title, grows: true)
        let additions: [(label: String, name: String, kind: ContactMethod.Kind)] = [
            (localized("+ Number"), localized("Add Number"), .number),
            (localized("+ Jabber"), localized("Add Jabber address"), .xmpp),
            (localized("+ SIP"), localized("Add SIP address"), .sip),
        ]
        for (label, name, kind) in additions {
            let key = Widget.button(label, style: "panel-key")
            cgtk_widget_set_accessible(key, name, nil)
            Signal.connect(key, "clicked") { [weak self] in self?.add(kind) }
            adders.add(key)
        }
        gtk_label_set_line_wrap(problem.cast(), 1)
        gtk_label_set_max_width_chars(problem.cast(), 28)
        gtk_widget_set_no_show_all(problem, 1)
        let fields = [labelled(name, localized("Name")), labelled(organization, localized("Company"))]
        for part in [photo.widget] + fields + [methods, adders, makeNoteFrame()] { form.add(part) }
        let scrolled = Widget.scroller(form)
        // The form scrolls to the field that Tab focuses.
        gtk_container_set_focus_vadjustment(form.cast(), gtk_scrolled_window_get_vadjustment(scrolled.cast()))
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        keys.add(discard)
        gtk_box_pack_end(keys.cast(), save, 0, 0, 0)
        widget.add(top)
        widget.add(scrolled, grows: true)
        widget.add(problem)
        widget.add(keys)
        gtk_widget_show_all(widget)
    }

    /// Puts a label over a field: GTK hides the hint in an empty field while it has the focus.
    private func labelled(_ field: Widget, _ name: String) -> Widget {
        let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        box.add(Widget.label(name, style: "way-kind"))
        box.add(field)
        return box
    }

    private func makeNoteFrame() -> Widget {
        let frame = Widget.box(GTK_ORIENTATION_VERTICAL, style: "note-field")
        gtk_text_view_set_wrap_mode(note.cast(), GTK_WRAP_WORD_CHAR)
        // Tab moves the focus, as in the other fields.
        gtk_text_view_set_accepts_tab(note.cast(), 0)
        gtk_widget_set_size_request(note, -1, 64)
        cgtk_widget_set_accessible(note, localized("Note"), nil)
        frame.add(note, grows: true)
        frame.followFocus(of: note)
        return labelled(frame, localized("Note"))
    }

    private func add(_ kind: ContactMethod.Kind) {
        guard fields.count < ContactCard.maximumMethods else {
            return show(problem: ContactStrings.text(.tooManyMethods, in: draft))
        }
        addFields(for: ContactMethod(kind, "", label: kind == .number ? .mobile : .other)).focus()
    }

    @discardableResult
    private func addFields(for method: ContactMethod) -> ContactMethodFields {
        let field = ContactMethodFields(method, pad: pad)
        fields.append(field)
        methods.add(field.widget)
        field.onChange = { [weak self] in self?.show(problem: "") }
        field.onRemove = { [weak self, weak field] in
            if let self, let field { remove(field) }
        }
        return field
    }

    private func remove(_ field: ContactMethodFields) {
        guard let index = fields.firstIndex(where: { $0 === field }) else { return }
        fields.remove(at: index)
        if field.widget.holdsFocus {
            if fields.isEmpty {
                gtk_widget_child_focus(adders, GTK_DIR_TAB_FORWARD)
            } else {
                fields[min(index, fields.count - 1)].focus()
            }
        }
        // The field cannot be destroyed while it emits its own signal.
        MainLoop.soon { gtk_widget_destroy(field.widget) }
    }
}
