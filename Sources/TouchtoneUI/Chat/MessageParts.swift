// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A view that few rows show.
@MainActor
protocol RareView: AnyObject {
    var widget: Widget { get }
}

/// The parts of a row that few messages have: each is built for the first message that needs it, and hidden for the
/// others.
@MainActor
final class MessageParts {
    /// The whole row, the content of its balloon, and the line of that with the text.
    private let column, content, words: Widget
    private let act: @MainActor (MessageRow.Action) -> Void
    /// The lines across the conversation.
    private var (dayLine, newLine): (LineAcross?, LineAcross?)
    private var quote: QuoteView?
    private var files: FilesView?
    private var (fold, spoiler): (FoldKey?, FoldKey?)
    /// The icon beside the text in place of a deleted message.
    private var deleted: DeletedIcon?
    private var reactions: ReactionChips?
    private var protection: ProtectionLine?
    private var failure: FailureView?
    private var call: CallNoteView?

    init(
        column: Widget, content: Widget, words: Widget, act: @escaping @MainActor (MessageRow.Action) -> Void
    ) {
        (self.column, self.content, self.words, self.act) = (column, content, words, act)
    }

    /// Shows a call in place of a message, whose balloon the row hides.
    func show(_ note: CallNote) {
        showLines(day: note.dayLine, new: nil)
        for part in [reactions, protection, failure] as [(any RareView)?] { part?.widget.isVisible = false }
        part(&call, true, in: column) { [act] in CallNoteView(act) }?.show(note)
    }

    func show(_ cell: MessageCell) {
        showLines(day: cell.isFirst ? cell.dayLine : nil, new: cell.isFirst ? cell.newLine : nil)
        part(&call, false, in: column) { [act] in CallNoteView(act) }
        showParts(of: cell)
        let chips = cell.isLast ? cell.reactions : []
        part(&reactions, !chips.isEmpty, in: column, at: linesCount + 2) { [act] in
            ReactionChips { act(.react($0)) }
        }?.show(chips, isLeft: cell.isLeft)
        let warning = cell.isLast ? cell.message.protectionWarning : nil
        part(&protection, warning != nil, in: column, at: linesCount + 2 + (reactions == nil ? 0 : 1)) {
            ProtectionLine()
        }?.show(
            warning ?? "", isEncrypted: cell.message.content.protection.isEncrypted, isLeft: cell.isLeft)
        var reason: String?
        if case .failed(let why) = cell.message.state, cell.isLast { reason = why }
        part(&failure, reason != nil, in: column) { [act] in FailureView { act(.retry) } }?
            .show(reason ?? "", isLeft: cell.isLeft)
    }

    private func showLines(day: String?, new: String?) {
        part(&dayLine, day != nil, in: column, at: 0) { LineAcross(isNew: false) }?.show(day ?? "")
        part(&newLine, new != nil, in: column, at: dayLine == nil ? 0 : 1) { LineAcross(isNew: true) }?
            .show(new ?? "")
    }

    private var linesCount: Int { (dayLine == nil ? 0 : 1) + (newLine == nil ? 0 : 1) }

    /// Shows what is in the balloon.
    private func showParts(of cell: MessageCell) {
        part(&deleted, cell.message.retraction != nil, in: words, at: 0) { DeletedIcon() }
        let shown = cell.isFirst ? cell.quote : nil
        let view = part(&quote, shown != nil, in: content, at: 0) { [act] in
            QuoteView { act(.showOriginal) }
        }
        if let shown { view?.show(shown) }
        let cells = cell.isFirst ? cell.files : []
        part(&files, !cells.isEmpty, in: content, at: quote == nil ? 0 : 1) { [act] in
            let view = FilesView()
            view.onKey = { act(.file($0, $1)) }
            view.onMove = { act(.move($0)) }
            return view
        }?.show(cells)
        let isLong = cell.isFolded || cell.parts > 1 && cell.isLast
        let before = (quote == nil ? 0 : 1) + (files == nil ? 0 : 1)
        part(&fold, isLong, in: content, at: before + 1) { FoldKey() }?
            .show(cell.isFolded ? localized("Show All") : localized("Show Less")) { [act] in
                act(cell.isFolded ? .showAll : .fold)
            }
        let isRevealed = cell.isLast ? cell.isRevealed : nil
        part(&spoiler, isRevealed != nil, in: content) { FoldKey() }?
            .show(FoldKey.label(isRevealed: isRevealed == true)) { [act] in act(.reveal) }
    }

    /// Returns a part, which is built when it is first needed; hides it, and returns nil, if it is not.
    ///
    /// - Parameter place: The index among the children of the box; nil for the end.
    @discardableResult
    private func part<View: RareView>(
        _ view: inout View?, _ isNeeded: Bool, in box: Widget, at place: Int? = nil, make: () -> View
    ) -> View? {
        guard isNeeded else {
            view?.widget.isVisible = false
            return nil
        }
        let part = view ?? make()
        if view == nil {
            view = part
            gtk_widget_set_no_show_all(part.widget, 1)
            box.add(part.widget)
            if let place { gtk_box_reorder_child(box.cast(), part.widget, gint(place)) }
        }
        part.widget.isVisible = true
        return part
    }
}

/// A key in the balloon that shows more or less of the text.
@MainActor
final class FoldKey: RareView {
    let widget = Widget.button("", style: "fold")
    private var onClick: (@MainActor () -> Void)?

    init() {
        gtk_widget_set_halign(widget, GTK_ALIGN_START)
        Signal.connect(widget, "clicked") { [weak self] in self?.onClick?() }
    }

    func show(_ label: String, onClick: @escaping @MainActor () -> Void) {
        self.onClick = onClick
        gtk_button_set_label(widget.cast(), label)
    }

    /// Returns the label of the key below the hint of a spoiler.
    ///
    /// - Parameter isRevealed: Whether the text is shown.
    static func label(isRevealed: Bool) -> String {
        isRevealed ? localizedIn("verb", "Hide") : localizedIn("verb", "Show")
    }
}

@MainActor
private final class DeletedIcon: RareView {
    let widget = Widget.icon("user-trash-symbolic")

    init() { gtk_widget_set_valign(widget, GTK_ALIGN_START) }
}

/// The reason why a message was not sent, and the key to send it again.
@MainActor
private final class FailureView: RareView {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "trouble")
    private let reason = Widget.label(style: "reason")

    init(onRetry: @escaping @MainActor () -> Void) {
        gtk_label_set_line_wrap(reason.cast(), 1)
        gtk_label_set_xalign(reason.cast(), 0)
        widget.add(reason, grows: true)
        let retry = Widget.button(localized("Retry"), style: "panel-key", "plain")
        gtk_widget_set_valign(retry, GTK_ALIGN_CENTER)
        Signal.connect(retry, "clicked") { onRetry() }
        widget.add(retry)
        for part in [reason, retry] { gtk_widget_show(part) }
    }

    func show(_ why: String, isLeft: Bool) {
        reason.text = PlainText.line(
            why.isEmpty ? localized("This message was not sent.") : why, maximum: 300)
        gtk_widget_set_halign(widget, isLeft ? GTK_ALIGN_START : GTK_ALIGN_END)
    }
}
