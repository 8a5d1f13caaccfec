// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The message field with its buttons, which grows with the text, up to five lines.
@MainActor
final class Composer {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, style: "composer")
    var onSend: (@MainActor (String) -> Void)?
    var onTyped: (@MainActor (String) -> Void)?
    /// Called when the up or down arrow leaves an empty field, or an unchanged correction.
    var onRecall: (@MainActor (Direction) -> Void)?
    /// Returns the completion of the text before the cursor; nil if there is none.
    var onComplete: (@MainActor (String) -> NicknameCompletion.Change?)?
    /// Called when the user cancels a correction or a reply, with Escape or its button, or files with Escape.
    var onCancel: (@MainActor () -> Void)?
    var onAttach: (@MainActor () -> Void)?
    /// Called when the user wants to hide the text behind a hint; only without files, and not in a correction.
    var onSpoiler: (@MainActor () -> Void)?
    /// Called with files or a picture that the user pastes.
    var onPaste: (@MainActor (Attachment) -> Void)?

    private let view: UnsafeMutablePointer<GtkTextView> = (gtk_text_view_new() as Widget).cast()
    private let buffer: UnsafeMutablePointer<GtkTextBuffer>
    private let scrolled: Widget = gtk_scrolled_window_new(nil, nil)
    private let hint = Widget.label(isCut: true, style: "hint")
    private let mark = EncryptionMark()
    private let send = Widget.iconButton(
        "go-up-symbolic", name: localized("Send"), tip: localized("Send (Return)"))
    private let emoji = Widget.iconButton(
        "face-smile-symbolic", name: localized("Emoji"), tip: localized("Insert an emoji (Ctrl+.)"))
    private let attach = Widget.iconButton(
        "mail-attachment-symbolic", name: localizedIn("verb", "Attach"),
        tip: localized("Attach a file (Ctrl+U)"))
    let voice = VoiceKey()
    private let drafts = FileDraftsView()
    /// Called with the index of the file that the user does not want to send.
    var onRemoveFile: (@MainActor (Int) -> Void)?
    /// The placeholder without files.
    private var placeholder = ""
    private let correction = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, style: "correction")
    private let correctionLabel = Widget.label(isCut: true, style: "correction-text")
    private let stop = Widget.iconButton("window-close-symbolic", name: "", tip: "")
    private let errorLabel = Widget.label(style: "reason")
    private var isSetting = false
    private(set) var canAttach = false
    /// The text that is being corrected, as it was sent; nil if none is.
    private var original: String?
    private static let lines: gint = 5
    private static let margin: gint = 7

    init() {
        buffer = gtk_text_view_get_buffer(view)
        let field = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 2, style: "compose")
        setUpView()
        setUpCorrection()
        gtk_widget_set_margin_end(mark.widget, 6)
        gtk_widget_set_no_show_all(mark.widget, 1)
        cgtk_widget_set_accessible(mark.widget, localized("Encryption"), nil)
        field.add(mark.widget)
        let overlay: Widget = gtk_overlay_new()
        gtk_container_add(overlay.cast(), scrolled)
        gtk_widget_set_valign(hint, GTK_ALIGN_START)
        gtk_overlay_add_overlay(overlay.cast(), hint)
        gtk_overlay_set_overlay_pass_through(overlay.cast(), hint, 1)
        field.add(overlay, grows: true)
        for button in [attach, voice.widget, emoji, send] {
            gtk_widget_set_valign(button, GTK_ALIGN_END)
            field.add(button)
        }
        widget.add(drafts.widget)
        widget.add(correction)
        widget.add(errorLabel)
        widget.add(voice.line)
        widget.add(field)
        gtk_widget_show_all(widget)
        send.set(style: "send", true)
        drafts.onRemove = { [weak self] in self?.onRemoveFile?($0) }
        Signal.connect(send, "clicked") { [weak self] in self?.finish() }
        Signal.connect(emoji, "clicked") { [weak self] in self?.chooseEmoji() }
        Signal.connect(attach, "clicked") { [weak self] in self?.onAttach?() }
        Signal.connect(view, "paste-clipboard") { [weak self] in self?.paste() }
        field.followFocus(of: view.cast())
    }

    private func setUpView() {
        gtk_text_view_set_wrap_mode(view, GTK_WRAP_WORD_CHAR)
        gtk_text_view_set_accepts_tab(view, 0)
        gtk_text_view_set_top_margin(view, Self.margin)
        gtk_text_view_set_bottom_margin(view, Self.margin)
        gtk_widget_set_margin_top(hint, Self.margin)
        // The cursor stands before it: with an X input method, the hint would cover it.
        gtk_widget_set_margin_start(hint, 2)
        gtk_text_view_set_input_hints(
            view,
            GtkInputHints(
                rawValue: GTK_INPUT_HINT_SPELLCHECK.rawValue | GTK_INPUT_HINT_UPPERCASE_SENTENCES.rawValue))
        cgtk_widget_set_accessible(view.cast(), localized("Message"), nil)
        gtk_container_add(scrolled.cast(), view.cast())
        gtk_widget_set_can_focus(scrolled, 0)
        gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
        gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
        Signal.connect(buffer, "changed") { [weak self] in self?.changed() }
        Signal.connectEvent(view, "key-press-event") { [weak self] in
            self?.keyPressed($0.pointee.key) ?? false
        }
        Signal.connectPointer(view, "populate-popup") { [weak self] in self?.extend($0) }
        Signal.connect(view, "style-updated") { [weak self] in self?.limitHeight() }
        Signal.connect(view, "map") { [weak self] in self?.limitHeight() }
    }

    private func setUpCorrection() {
        gtk_widget_set_no_show_all(correction, 1)
        gtk_widget_set_no_show_all(errorLabel, 1)
        gtk_label_set_line_wrap(errorLabel.cast(), 1)
        // The panel folds if its children request more width than is available.
        gtk_label_set_max_width_chars(errorLabel.cast(), 30)
        correction.add(correctionLabel, grows: true)
        correction.add(stop)
        gtk_widget_show_all(correctionLabel)
        gtk_widget_show_all(stop)
        Signal.connect(stop, "clicked") { [weak self] in self?.onCancel?() }
    }

    // MARK: - Text

    var text: String {
        get { buffer.text }
        set {
            isSetting = true
            gtk_text_buffer_set_text(buffer, newValue, gint(newValue.utf8.count))
            isSetting = false
            var end = GtkTextIter()
            gtk_text_buffer_get_end_iter(buffer, &end)
            gtk_text_buffer_place_cursor(buffer, &end)
        }
    }

    /// Sets the placeholder, and whether the field accepts text.
    func show(hint: String, isEnabled: Bool) {
        placeholder = hint
        showHint()
        gtk_widget_set_sensitive(widget, isEnabled ? 1 : 0)
    }

    /// Shows whether what is written will be encrypted; nil shows no lock.
    func show(_ encryption: EncryptionWords?) {
        mark.widget.isVisible = encryption != nil
        mark.look = encryption?.look ?? .open
        mark.widget.setTip(encryption?.sentence ?? "")
    }

    private func showHint() {
        hint.text = drafts.isEmpty ? placeholder : localized("Add a caption")
        if !errorLabel.isVisible { describe(hint.text) }
    }

    /// Shows the files that are sent with the text.
    func show(_ files: [FileDraft]) {
        if files.isEmpty, drafts.isEmpty { return }
        drafts.show(files)
        showHint()
        isSetting = true
        changed()
        isSetting = false
    }

    func show(canAttach: Bool, reason: String) {
        self.canAttach = canAttach
        for (key, tip) in [
            (attach, localized("Attach a file (Ctrl+U)")),
            (voice.widget, localized("Hold to record a voice message")),
        ] {
            gtk_widget_set_sensitive(key, canAttach ? 1 : 0)
            key.setTip(reason.isEmpty ? tip : reason)
        }
    }

    /// The use of the typed text.
    enum Purpose: Hashable {
        case message
        /// A correction of a text.
        case correction(of: String)
        /// A reply to a message, with its sender and text.
        case reply(String)
    }

    /// Shows what becomes of the text, in a bar over the field.
    func show(_ purpose: Purpose) {
        correction.isVisible = purpose != .message
        original = nil
        switch purpose {
        case .message: break
        case .correction(let text):
            original = text
            correctionLabel.text = localized("Editing your message")
            stop.setAccessible(name: localized("Cancel Editing"))
            stop.setTip(localized("Cancel editing (Esc)"))
        case .reply(let text):
            correctionLabel.text = text
            stop.setAccessible(name: localized("Cancel Reply"))
            stop.setTip(localized("Cancel the reply (Esc)"))
        }
    }

    /// Shows the reason that the text was not sent, until the text changes.
    func show(trouble text: String) {
        errorLabel.text = text
        errorLabel.isVisible = true
        // Assistive tools read the description of the widget with the focus.
        describe(text)
    }

    func hideTrouble() {
        guard errorLabel.isVisible else { return }
        errorLabel.isVisible = false
        describe(hint.text)
    }

    private func describe(_ text: String) { (view.cast() as Widget).setAccessible(description: text) }

    func focus() { gtk_widget_grab_focus(view.cast()) }

    var field: Widget { view.cast() }

    /// The direction of the arrow keys among the user’s messages.
    enum Direction { case older, newer }

    /// Whether a text is being corrected, and is as it was sent.
    var isUnchanged: Bool { original != nil && original == text }

    private var isEmpty: Bool { gtk_text_buffer_get_char_count(buffer) == 0 }

    private func changed() {
        hideTrouble()
        hint.isVisible = isEmpty
        gtk_widget_set_sensitive(send, isEmpty && drafts.isEmpty ? 0 : 1)
        if !isSetting { onTyped?(text) }
    }

    private func finish() {
        let text = text
        guard !text.allSatisfy(\.isWhitespace) || !drafts.isEmpty else { return }
        onSend?(text)
        focus()
    }

    private func keyPressed(_ key: GdkEventKey) -> Bool {
        // The input method handles the key first, because Return accepts its candidate.
        var event = key
        guard gtk_text_view_im_context_filter_keypress(view, &event) == 0 else { return true }
        let isShifted = key.state & GDK_SHIFT_MASK.rawValue != 0
        let hasControl = key.state & (GDK_CONTROL_MASK.rawValue | GDK_MOD1_MASK.rawValue) != 0
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            guard !isShifted, !hasControl else {
                gtk_text_buffer_insert_at_cursor(buffer, "\n", 1)
                return true
            }
            finish()
            return true
        case GDK_KEY_Up, GDK_KEY_KP_Up: return !hasControl && !isShifted && recall(.older)
        case GDK_KEY_Down, GDK_KEY_KP_Down: return !hasControl && !isShifted && recall(.newer)
        case GDK_KEY_Tab, GDK_KEY_KP_Tab: return !hasControl && !isShifted && complete()
        case GDK_KEY_Escape:
            guard correction.isVisible || !drafts.isEmpty else { return false }
            onCancel?()
            return true
        default: return false
        }
    }

    /// Leaves an empty field, or the first or last line of an unchanged correction.
    private func recall(_ direction: Direction) -> Bool {
        guard isUnchanged || isEmpty && direction == .older else { return false }
        var (cursor, start, end) = (GtkTextIter(), GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_iter_at_mark(buffer, &cursor, gtk_text_buffer_get_insert(buffer))
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        let isLast =
            direction == .older ? top(of: &cursor) == top(of: &start) : top(of: &cursor) == top(of: &end)
        guard isLast else { return false }
        onRecall?(direction)
        return true
    }

    /// Returns the top of the displayed line of a place in the text.
    private func top(of place: inout GtkTextIter) -> gint {
        var area = GdkRectangle()
        gtk_text_view_get_iter_location(view, &place, &area)
        return area.y
    }

    private func complete() -> Bool {
        var (start, cursor) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_start_iter(buffer, &start)
        gtk_text_buffer_get_iter_at_mark(buffer, &cursor, gtk_text_buffer_get_insert(buffer))
        guard let text = gtk_text_buffer_get_text(buffer, &start, &cursor, 1) else { return false }
        defer { g_free(text) }
        guard let change = onComplete?(String(cString: text)) else { return false }
        // A character may be several code points, in which the buffer counts.
        let removed = String(cString: text).suffix(change.removed).unicodeScalars.count
        start = cursor
        gtk_text_iter_backward_chars(&start, gint(removed))
        gtk_text_buffer_delete(buffer, &start, &cursor)
        gtk_text_buffer_insert_at_cursor(buffer, change.inserted, gint(change.inserted.utf8.count))
        return true
    }

    /// Pastes files or a picture as attachments, anything else as text.
    private func paste() {
        g_signal_stop_emission_by_name(view, "paste-clipboard")
        Clipboard.readAttachment { [weak self] answer in
            guard let self else { return }
            if answer == .none { Clipboard.paste(into: buffer) } else { onPaste?(answer) }
        }
    }

    /// Inserts text at the cursor, and focuses the field.
    func insert(_ text: String) {
        gtk_text_buffer_delete_selection(buffer, 1, 1)
        gtk_text_buffer_insert_at_cursor(buffer, text, gint(clamping: text.utf8.count))
        focus()
    }

    /// Adds to the menu of the field, which GTK makes.
    private func extend(_ menu: UnsafeMutableRawPointer?) {
        guard let menu: Widget = menu?.assumingMemoryBound(to: GtkWidget.self), original == nil,
            drafts.isEmpty,
            !text.allSatisfy(\.isWhitespace)
        else { return }
        let item: Widget = gtk_menu_item_new_with_label(localized("Send as Spoiler…"))
        Signal.connect(item, "activate") { [weak self] in self?.onSpoiler?() }
        for entry in [gtk_separator_menu_item_new() as Widget, item] {
            gtk_menu_shell_append(menu.cast(), entry)
            gtk_widget_show(entry)
        }
    }

    private func chooseEmoji() {
        focus()
        Signal.emit(view, "insert-emoji")
    }

    /// Limits the height of the field to five lines in its font.
    private func limitHeight() {
        guard let layout = gtk_widget_create_pango_layout(view.cast(), "Ág") else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var height: gint = 0
        pango_layout_get_pixel_size(layout, nil, &height)
        let margins = gtk_text_view_get_top_margin(view) + gtk_text_view_get_bottom_margin(view)
        let maximum = height * Self.lines + margins
        guard gtk_scrolled_window_get_max_content_height(scrolled.cast()) != maximum else { return }
        gtk_scrolled_window_set_max_content_height(scrolled.cast(), maximum)
    }
}
