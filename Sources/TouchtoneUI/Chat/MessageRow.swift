// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The contents of a row of a conversation: a message, or a part of a very long one.
struct MessageCell {
    let message: ChatMessage
    /// The name of the sender, as in the stamp.
    let sender: String
    let stamp: Stamp
    /// The time at which the message was sent, with the date unless it was today.
    let time: String
    /// The index of the part, and the number of parts.
    var part = 0
    var parts = 1
    /// The text of the part, as typed.
    let text: String
    /// Whether the text is only the beginning of the message.
    var isFolded = false
    /// The text of the line above the first new message.
    var newLine: String?
    /// The name of the day that begins with the message.
    var dayLine: String?
    /// The time alone, if the message has no line with its sender and time, because it continues a run.
    var clock: String?
    var isFound = false
    var isLeft = true
    /// Whether the text is still being typed, and no message yet.
    var isLive = false
    /// Whether the text of a spoiler is shown; nil for a message that is none.
    var isRevealed: Bool?
    var files: [FileCell] = []
    /// The message that this one replies to; nil if it is no reply.
    var quote: Quote?
    var reactions: [ReactionChips.Chip] = []

    var hasText: Bool { isRevealed == false || !message.isFileAlone }
    /// Whether nothing but the text is in the balloon.
    var isPlain: Bool { files.isEmpty && quote == nil && isRevealed == nil && !message.hasNoWords }

    var isFirst: Bool { part == 0 }
    var isLast: Bool { part == parts - 1 }
}

/// A row of a conversation: the stamp, and the balloon below it.
@MainActor
final class MessageRow: ListRow {
    enum Action {
        case open(TextLink)
        case showAll, fold, retry, showOriginal, reveal
        case react(String)
        /// A key of the file with that index.
        case file(FileCell.Key, Int)
        /// Moves within the sound that is played.
        case move(Duration)
        case copy(String)
        case menu(UnsafeMutablePointer<GdkEvent>?)
        case callBack, callText
    }

    var onAction: (@MainActor (MessageRow, Action) -> Void)?
    /// The message; nil if the row shows a call.
    private(set) var cell: MessageCell?
    /// The call; nil if the row shows a message.
    private(set) var call: CallNote?
    private(set) var body: MessageBody?
    private var shownMarkup = ""
    /// The lines of quotations and code in the text.
    private var blocks: [(range: Range<Int>, isCode: Bool)] = []

    let ref = MessageRow.makeBox(style: "message")
    private let stampLine = StampLine()
    /// The time beside the balloon, built for the first message without a line.
    private var aside: AsideStamp?
    private let balloon = Balloon()
    private let label = MessageLabel.make()
    private let column = Widget.box(GTK_ORIENTATION_VERTICAL)
    private let words = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
    private lazy var parts = MessageParts(column: column, content: balloon.content, words: words) {
        [weak self] in self?.act($0)
    }
    private(set) lazy var arrival = Arrival(column)

    init() {
        gtk_container_add(box.cast(), column)
        for part in [stampLine.widget, balloon.widget] { column.add(part) }
        words.add(label, grows: true)
        balloon.text = label
        balloon.content.add(words)
        balloon.ground = { [weak self] in self?.drawBlocks($0) }
        setUpLabel()
        drawFocus()
    }

    private func setUpLabel() {
        label.set(style: "message-text", true)
        gtk_label_set_xalign(label.cast(), 0)
        gtk_label_set_selectable(label.cast(), 1)
        gtk_label_set_track_visited_links(label.cast(), 0)
        Signal.connectLink(label) { [weak self] target in
            guard let self, let body, let number = Int(target), body.links.indices.contains(number) else {
                return
            }
            act(.open(body.links[number].target))
        }
        Signal.connectFocus(label) { [weak self] in self?.moveToLink($0) ?? false }
        Signal.connect(label, "copy-clipboard") { [weak self] in self?.copySelection() }
        Signal.connectEvent(label, "button-press-event") { [weak self] event in
            guard gdk_event_triggers_context_menu(event) != 0 else { return false }
            self?.act(.menu(event))
            return true
        }
        Signal.connectPopup(label) { [weak self] in self?.act(.menu(nil)) }
    }

    /// Moves the focus from link to link, because GTK skips the links of a selectable label.
    private func moveToLink(_ direction: GtkDirectionType) -> Bool {
        guard let starts = body?.linkStarts, !starts.isEmpty else { return false }
        var (from, to): (gint, gint) = (0, 0)
        let isInside = gtk_widget_has_focus(label) != 0
        let isSelected = gtk_label_get_selection_bounds(label.cast(), &from, &to) != 0
        let current = isInside && !isSelected ? starts.firstIndex(of: Int(from)) : nil
        let next: Int
        switch direction {
        case GTK_DIR_TAB_FORWARD: next = current.map { $0 + 1 } ?? 0
        case GTK_DIR_TAB_BACKWARD: next = (current ?? starts.count) - 1
        default: return false
        }
        guard starts.indices.contains(next) else { return false }
        gtk_widget_grab_focus(label)
        gtk_label_select_region(label.cast(), gint(starts[next]), gint(starts[next]))
        return true
    }

    private func act(_ action: Action) { onAction?(self, action) }

    /// Copies the selected text as it was typed, not as it is shown.
    private func copySelection() {
        guard let selection else { return }
        g_signal_stop_emission_by_name(label, "copy-clipboard")
        act(.copy(selection))
    }

    private func drawBlocks(_ cairo: OpaquePointer) {
        guard !blocks.isEmpty, words.isVisible,
            let layout = gtk_label_get_layout(label.cast())
        else { return }
        TextBlocks(blocks, of: layout).draw(cairo, around: label.area(in: balloon.content), of: label)
    }

    /// Draws the focus, because an event box does not.
    private func drawFocus() {
        let box = box
        for signal in ["focus-in-event", "focus-out-event"] {
            Signal.connectEvent(box, signal) { _ in
                gtk_widget_queue_draw(box)
                return false
            }
        }
        Signal.connectDraw(box) { cairo in
            guard gtk_widget_has_visible_focus(box) != 0, let style = gtk_widget_get_style_context(box) else {
                return
            }
            let (width, height) = (gtk_widget_get_allocated_width(box), gtk_widget_get_allocated_height(box))
            gtk_render_focus(style, cairo, 0, 0, Double(width), Double(height))
        }
    }

    // MARK: - Display

    /// Shows a call in place of a message.
    func show(_ call: CallNote) {
        arrival.end()
        (self.call, cell, body, shownMarkup, blocks) = (call, nil, nil, "", [])
        for part in [stampLine.widget, balloon.widget] { part.isVisible = false }
        parts.show(call)
        box.set(style: "joined", false)
        box.setAccessible(name: call.accessibleName)
        box.setAccessible(description: "")
    }

    func show(_ cell: MessageCell, body: MessageBody) {
        call = nil
        balloon.widget.isVisible = true
        let message = cell.message
        let isOther = self.cell?.message.id != message.id || self.cell?.part != cell.part
        if isOther { arrival.end() }
        let markup = body.markup
        let isSameText = !isOther && markup == shownMarkup
        (self.cell, self.body, shownMarkup, blocks) = (cell, body, markup, body.blocks)
        showStamp(of: cell)
        words.isVisible = cell.hasText
        parts.show(cell)
        if !isSameText {
            // Clear the selection, which belongs to the previous text.
            gtk_label_select_region(label.cast(), 0, 0)
            MessageLabel.setMarkup(markup, hasLinks: !body.links.isEmpty, of: label)
        }
        let isBare = body.isFewEmoji && cell.isPlain
        label.set(style: "large-emoji", isBare)
        balloon.content.set(style: "action", message.isAction)
        balloon.look = Balloon.Look(
            isSent: message.sender == .me, isLeft: cell.isLeft, isFound: cell.isFound,
            isDeleted: message.hasNoWords, isLive: cell.isLive, isBare: isBare, joinsAbove: !cell.isFirst,
            joinsBelow: !cell.isLast)
        box.set(style: "joined", !cell.isLast)
        box.setAccessible(name: accessibleName(of: cell, body))
        let edited = message.isCorrected ? localizedIn("state of a message", "edited") : ""
        // The progress of a transfer says more than the state “waiting”.
        let isMoving = cell.files.contains { $0.fraction != nil }
        let state = message.sender == .me && !isMoving ? message.shownState.word : ""
        let transfers = cell.files.filter { $0.fraction != nil || $0.isProblem }.map(\.detail)
        let reactions = localizedList(cell.reactions.map(\.text))
        let reacted = reactions.isEmpty ? "" : localized("reactions: {list}", ["list": reactions])
        box.setAccessible(
            description: localizedList(
                ([cell.newLine ?? "", edited, state, message.protectionWarning ?? ""] + transfers + [reacted])
                    .filter { !$0.isEmpty }))
    }

    /// Lets the message fade in and rise.
    func arrive() { arrival.begin() }

    private func showStamp(of cell: MessageCell) {
        let message = cell.message
        let text =
            message.isCorrected ? localized("{stamp} · edited", ["stamp": cell.stamp.text]) : cell.stamp.text
        let state = message.sender == .me ? message.shownState : .received
        stampLine.widget.isVisible = cell.isFirst && cell.clock == nil
        stampLine.isLeft = cell.isLeft
        stampLine.show(text, full: cell.stamp.full, state, color: NicknameColor(of: message.sender))
        gtk_widget_set_tooltip_text(balloon.content, cell.clock == nil ? nil : cell.stamp.full)
        guard let clock = cell.clock, cell.isLast else {
            aside?.widget.isVisible = false
            return
        }
        let shown = aside ?? AsideStamp()
        (aside, balloon.aside) = (shown, shown.widget)
        shown.show(clock, full: cell.stamp.full, state, isLeft: cell.isLeft)
    }

    private func accessibleName(of cell: MessageCell, _ body: MessageBody) -> String {
        var text = body.shown
        guard !cell.isLive else {
            return localized("{sender}: {text}", ["sender": cell.stamp.text, "text": text])
        }
        if !cell.files.isEmpty {
            let names = localizedList(cell.files.map(\.name))
            let name = ["sender": cell.sender, "time": cell.time, "name": names] as KeyValuePairs
            guard cell.hasText else {
                return cell.files.allSatisfy(\.isPicture)
                    ? localized("{sender}, {time}: picture {name}", name)
                    : localized("{sender}, {time}: file {name}", name)
            }
            text = localizedList([text, names])
        }
        if let quote = cell.quote {
            return localized(
                "{sender}, {time}: {text} (in reply to {quoted})",
                ["sender": cell.sender, "time": cell.time, "text": text, "quoted": quote.summary])
        }
        return localized(
            "{sender}, {time}: {text}", ["sender": cell.sender, "time": cell.time, "text": text])
    }

    /// The selected text as it was typed, or nil without a selection.
    var selection: String? {
        var (from, to): (gint, gint) = (0, 0)
        guard let body, gtk_label_get_selection_bounds(label.cast(), &from, &to) != 0 else { return nil }
        return body.typed(for: Int(from)..<Int(to))
    }
}

extension ChatMessage {
    /// Whether the text describes an action of its sender (XEP-0245).
    var isAction: Bool { !isFileAlone && content.spoiler == nil && visibleText.hasPrefix(MessageBody.action) }

    /// Returns the text for notifications and lists, in which a sender's action has the sender's name.
    func summary(by name: String) -> String {
        if isAction { return "\(name) \(visibleText.dropFirst(MessageBody.action.count))" }
        return (retraction == nil ? standIn(by: name) : nil) ?? summary
    }
}
