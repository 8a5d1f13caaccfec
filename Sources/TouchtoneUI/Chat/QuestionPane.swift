// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A question in place of the contents of a popover, to which the user returns.
@MainActor
final class QuestionPane {
    struct Question {
        let title: String
        let text: String
        /// A key to compare; empty for none.
        var fingerprint = ""
        /// The name and the text of a field; nil for none.
        var field: (name: String, text: String)?
        /// The name of the button that does it; empty if there is nothing to do.
        var verb = ""
        var isDestructive = false
        /// Whether the text is an alarm.
        var isAlarm = false
        /// A widget between the text and the buttons.
        var content: Widget?
        var action: (@MainActor (String) async throws(ChatServiceError) -> Void)?
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    /// Called when the user goes back, or the action has succeeded.
    private let onEnd: @MainActor () -> Void
    private let question: Question
    private let text: Widget
    private let problem = Widget.wrappedLabel(style: "problem")
    private let back: Widget
    private let apply: Widget
    private var entry: Widget?
    private var fingerprint: Widget?

    init(_ question: Question, onEnd: @escaping @MainActor () -> Void) {
        (self.question, self.onEnd) = (question, onEnd)
        text = Widget.wrappedLabel(question.text)
        back = Widget.button(question.verb.isEmpty ? localized("Back") : localized("Cancel"))
        apply = Widget.button(
            question.verb, style: question.isDestructive ? "destructive-action" : "suggested-action")
        widget.add(.wrappedLabel(question.title, style: "ask-title"))
        text.set(style: "problem", question.isAlarm)
        widget.add(text)
        addFingerprint()
        addField()
        if let content = question.content { widget.add(content) }
        widget.add(problem)
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        row.add(back)
        gtk_box_pack_end(row.cast(), apply, 0, 0, 0)
        row.stackWithLargeText()
        widget.add(row)
        gtk_widget_show_all(widget)
        problem.isVisible = false
        apply.isVisible = !question.verb.isEmpty
        Signal.connect(back, "clicked") { onEnd() }
        Signal.connect(apply, "clicked") { [weak self] in self?.submit() }
    }

    private func addFingerprint() {
        guard !question.fingerprint.isEmpty else { return }
        let label = Widget.wrappedLabel(question.fingerprint, style: "fingerprint")
        gtk_label_set_selectable(label.cast(), 1)
        gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR)
        label.setAccessible(description: localized("Fingerprint"))
        fingerprint = label
        widget.add(label)
    }

    private func addField() {
        guard let field = question.field else { return }
        let entry: Widget = gtk_entry_new()
        gtk_entry_set_text(entry.cast(), field.text)
        gtk_entry_set_max_length(entry.cast(), 60)
        gtk_entry_set_width_chars(entry.cast(), 8)
        cgtk_widget_set_accessible(entry, field.name, nil)
        widget.add(entry)
        self.entry = entry
        Signal.connect(entry, "activate") { [weak self] in self?.submit() }
    }

    /// Focuses the field, or else the way back, so that Return does not confirm by chance.
    func focus() {
        gtk_widget_grab_focus(entry ?? back)
        // GTK has selected it on the way.
        if let fingerprint { gtk_label_select_region(fingerprint.cast(), 0, 0) }
        text.announce(question.text)
    }

    private func submit() {
        guard gtk_widget_get_sensitive(apply) != 0, let action = question.action else { return }
        gtk_widget_set_sensitive(apply, 0)
        Task { [weak self, entry] in
            do throws(ChatServiceError) {
                try await action(entry?.entryText ?? "")
                self?.onEnd()
            } catch {
                self?.show(problem: PlainText.line(error.text, maximum: 400))
            }
        }
    }

    private func show(problem reason: String) {
        problem.text = reason
        problem.isVisible = true
        problem.announce(reason)
        gtk_widget_set_sensitive(apply, 1)
    }
}
