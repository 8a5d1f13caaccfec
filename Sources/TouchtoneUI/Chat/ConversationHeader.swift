// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The header of the open conversation: the picture, the name and the state of the other side, and what can be done.
@MainActor
final class ConversationHeader {
    struct Content {
        let buddy: BuddyList.Row
        let name: String
        let picture: Picture?
        /// The account of the conversation; empty if there is only one.
        let account: String
        /// Nil if the other side cannot be called at all.
        let call: ConversationCall?
        let encryption: EncryptionWords?
    }

    let widget: Widget
    /// The header bar with the window’s own buttons.
    let windowButtons: Widget = gtk_header_bar_new()
    let menu = Widget.iconButton(
        "view-more-symbolic", name: localizedIn("conversation", "Menu"), tip: localized("Conversation menu"))
    var onBack: (@MainActor () -> Void)?
    /// Called with the key, at which a menu can open.
    var onCall: (@MainActor (Widget) -> Void)?
    var onEncryption: (@MainActor () -> Void)?
    var onSearch: (@MainActor () -> Void)?
    var onMenu: (@MainActor () -> Void)?

    /// Whether there is no room for the search, which is in the menu, too.
    private var isNarrow = false { didSet { showSearch() } }
    private var hasConversation = false { didSet { showSearch() } }
    /// Whether the other side can be called.
    private var hasCall = false
    private var room = PanelArrangement.ample
    private let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4, style: "talk-head")
    private let back = Widget.iconButton(
        "go-previous-symbolic", name: localized("Back"), tip: localized("Back to the list (Esc)"))
    private let avatar = Avatar(side: 36)
    private let name = Widget.cutLabel(style: "talk-name")
    private let state = Widget.cutLabel(style: "talk-state")
    private let mark = EncryptionMark()
    let encryption: Widget = gtk_button_new()
    private let call: Widget = gtk_button_new()
    private let callWord = Widget.label(localizedIn("verb", "Call"))
    private let search = Widget.iconButton(
        "edit-find-symbolic", name: localized("Search"),
        tip: localized("Search in this conversation (Ctrl+F)"))

    init() {
        widget = hdy_window_handle_new()
        gtk_container_add(widget.cast(), line)
        gtk_widget_set_margin_end(avatar.widget, 8)
        let texts = Widget.box(GTK_ORIENTATION_VERTICAL)
        gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
        for part in [name, state] { texts.add(part) }
        setUpEncryption()
        setUpCall()
        gtk_header_bar_set_has_subtitle(windowButtons.cast(), 0)
        gtk_header_bar_set_custom_title(windowButtons.cast(), gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        line.add(back)
        line.add(avatar.widget)
        line.add(texts, grows: true)
        for key in [back, encryption, call, search, menu] { gtk_widget_set_valign(key, GTK_ALIGN_CENTER) }
        for part in [encryption, call, search, menu, windowButtons] { line.add(part) }
        let accessible = gtk_widget_get_accessible(line)
        atk_object_set_role(accessible, ATK_ROLE_PANEL)
        cgtk_widget_set_accessible(line, localized("Conversation Header"), nil)
        Signal.connect(back, "clicked") { [weak self] in self?.onBack?() }
        Signal.connect(call, "clicked") { [weak self] in
            if let self { onCall?(call) }
        }
        Signal.connect(search, "clicked") { [weak self] in self?.onSearch?() }
        Signal.connect(menu, "clicked") { [weak self] in self?.onMenu?() }
        gtk_widget_show_all(widget)
        for part in [back, encryption, call, windowButtons] { gtk_widget_set_no_show_all(part, 1) }
        windowButtons.isVisible = false
    }

    private func setUpEncryption() {
        gtk_container_add(encryption.cast(), mark.widget)
        encryption.set(style: "flat", true)
        cgtk_widget_set_accessible(encryption, localized("Encryption"), nil)
        Signal.connect(encryption, "clicked") { [weak self] in self?.onEncryption?() }
    }

    private func setUpCall() {
        let face = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        face.add(.icon("call-start-symbolic"))
        face.add(callWord)
        gtk_widget_set_halign(face, GTK_ALIGN_CENTER)
        gtk_container_add(call.cast(), face)
        for style in ["flat", "call-key"] { call.set(style: style, true) }
        cgtk_widget_set_accessible(call, localizedIn("verb", "Call"), nil)
    }

    /// Shows a conversation; nil shows only the way back and the window’s buttons.
    func show(_ content: Content?) {
        hasConversation = content != nil
        menu.isVisible = hasConversation
        hasCall = content?.call != nil
        showAsRoomPermits()
        gtk_widget_set_sensitive(call, content?.call?.obstacle == nil ? 1 : 0)
        encryption.isVisible = content?.encryption != nil
        mark.look = content?.encryption?.look ?? .open
        encryption.setTip(content?.encryption?.sentence ?? "")
        guard let content else {
            (name.text, state.text) = ("", "")
            for part in [name, state] { gtk_widget_set_tooltip_text(part, nil) }
            call.setTip("")
            return line.setAccessible(description: "")
        }
        name.text = content.name
        gtk_widget_set_tooltip_text(
            name, content.buddy.isOperator ? nil : PlainText.line(content.buddy.id.text))
        let words = Self.state(of: content)
        state.text = words
        state.isVisible = !words.isEmpty
        gtk_widget_set_tooltip_text(state, words.isEmpty ? nil : words)
        avatar.show(content.picture, BuddyRow.face(of: content.buddy))
        line.setAccessible(description: words)
        call.setTip(content.call?.obstacle ?? localized("Call {name}", ["name": content.name]))
    }

    /// Shows the picture, which the list has, too, and the key that calls, which the menu has, too.
    private func showAsRoomPermits() {
        avatar.widget.isVisible = hasConversation && room >= PanelArrangement.ample
        call.isVisible = hasCall && room >= Self.leastForCall
    }

    /// The least width with room for the key that calls, in pixels at the text scale 1.
    private static let leastForCall: gint = 290

    private func showSearch() { search.isVisible = hasConversation && !isNarrow }

    /// Arranges the header for the width of the panel.
    func arrange(_ arrangement: PanelArrangement) {
        let width = arrangement.width
        room = arrangement.room
        showAsRoomPermits()
        isNarrow = width == .narrow
        back.isVisible = isNarrow
        line.set(style: "wide", width == .wide)
        line.set(style: "below", width == .middle)
        callWord.isVisible = width == .wide
        call.set(style: "round", width != .wide)
        gtk_header_bar_set_show_close_button(windowButtons.cast(), arrangement.hasWindowButtons ? 1 : 0)
        windowButtons.isVisible = arrangement.hasWindowButtons
    }

    private static func state(of content: Content) -> String {
        let buddy = content.buddy
        let number = PlainText.line(buddy.person.numberText)
        let words: [String]
        if let room = buddy.room {
            let people = localizedPlural("{count} person", "{count} people", room.peopleCount)
            words = room.standing == .joined ? [people, PlainText.line(room.topic, maximum: 300)] : []
        } else if !number.isEmpty {
            words = [localized("{number} — not encrypted", ["number": number])]
        } else {
            words = [buddy.availability.text, PlainText.line(buddy.status)]
        }
        return (words + [content.account]).filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
