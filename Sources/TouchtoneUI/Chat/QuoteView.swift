// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The quotation of the message that a reply refers to.
struct Quote: Hashable {
    /// The author’s display name; empty if it is not known.
    let author: String
    let text: String
    /// The message in the loaded part of the conversation; nil if it is not there.
    let original: Int64?

    /// The author and the text, as a screen reader says them.
    var summary: String { [author, text].filter { !$0.isEmpty }.joined(separator: ": ") }

    /// The greatest length of the text, in characters.
    private static let maximum = 200

    /// Finds the message that another one replies to or, without it, what the reply itself quotes.
    ///
    /// - Returns: Nil if the message is no reply.
    /// - Parameters:
    ///   - messages: The loaded messages.
    ///   - buddyName: The display name of the conversation’s buddy.
    init?(of message: ChatMessage, among messages: some Collection<ChatMessage>, buddyName: String) {
        guard let reply = message.reply else { return nil }
        if let original = messages.first(where: { reply.original.names($0) && $0.id != message.id }) {
            author = original.sender.name(buddyName: buddyName)
            text = PlainText.line(original.summary, maximum: Self.maximum)
            self.original = original.id
            return
        }
        author = reply.author.map { Self.name(of: $0, in: message, buddyName: buddyName) } ?? ""
        text =
            message.content.quotation.map { PlainText.line($0, maximum: Self.maximum) }
            ?? localized("An earlier message")
        original = nil
    }

    private static func name(of author: ChatAddress, in message: ChatMessage, buddyName: String) -> String {
        switch author {
        case message.buddy: buddyName
        case message.conversation.account: MessageSender.me.name(buddyName: buddyName)
        default: PlainText.line(author.nickname ?? author.text, maximum: 60)
        }
    }
}

/// The quotation above the text of a reply; a click goes to the message.
@MainActor
final class QuoteView: RareView {
    let widget = Widget.button("", style: "quote")
    private let author = Widget.label(isCut: true, style: "quote-name")
    private let words = Widget.label(style: "quote-words")
    private static let maximumLines: gint = 3

    init(onClick: @escaping @MainActor () -> Void) {
        gtk_container_remove(widget.cast(), gtk_bin_get_child(widget.cast()))
        let lines = Widget.box(GTK_ORIENTATION_VERTICAL)
        for label in [author, words] {
            gtk_label_set_xalign(label.cast(), 0)
            lines.add(label)
        }
        words.wrapAnywhere()
        gtk_label_set_lines(words.cast(), Self.maximumLines)
        gtk_label_set_ellipsize(words.cast(), PANGO_ELLIPSIZE_END)
        gtk_container_add(widget.cast(), lines)
        gtk_widget_show_all(widget)
        gtk_widget_set_no_show_all(author, 1)
        Signal.connect(widget, "clicked") { onClick() }
    }

    func show(_ quote: Quote) {
        (author.text, words.text) = (quote.author, quote.text)
        author.isVisible = !quote.author.isEmpty
        cgtk_widget_set_accessible(widget, localized("Go to Original"), quote.summary)
    }
}
