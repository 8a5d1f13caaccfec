// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions on a conversation: the menu of its row, and of its header.
@MainActor
struct ConversationMenu {
    let id: ConversationID
    let messenger: Messenger
    /// The widget at which popovers open, and the area in it; nil is the whole widget.
    let widget: Widget
    var place: GdkRectangle?
    /// Opens a conversation.
    let open: @MainActor (ConversationID) -> Void
    /// Whether the conversation is open already.
    var isOpen = false
    /// Searches the messages; nil if there is a button for it.
    var search: (@MainActor () -> Void)?
    /// Calls the other side, perhaps after a menu at a widget; nil offers no call.
    var call: (@MainActor (ConversationCall, Widget) -> Void)?
    var callees: ConversationCallees?
    /// Shows how the conversation is encrypted.
    var encryption: (@MainActor () -> Void)?

    init(
        id: ConversationID, messenger: Messenger, widget: Widget, place: GdkRectangle? = nil,
        open: @escaping @MainActor (ConversationID) -> Void
    ) {
        (self.id, self.messenger, self.widget) = (id, messenger, widget)
        (self.place, self.open) = (place, open)
    }

    var chat: Chat? { messenger.chat(of: id) }

    var name: String { PlainText.line(messenger.buddies.name(of: id), maximum: 60) }

    private var buddy: BuddyList.Row? { messenger.buddies.row(of: id) }

    func show(at button: Widget, event: UnsafeMutablePointer<GdkEvent>?) {
        ContextMenu(items: items).open(at: button, event: event)
    }

    private var items: [ContextMenu.Item?] {
        guard let buddy else { return [] }
        var items: [ContextMenu.Item?] = isOpen ? [] : [.init(localizedIn("verb", "Open")) { open(id) }]
        if let call, let way = callees?.call(to: id, buddy) {
            items.append(
                .init(localizedIn("verb", "Call"), isEnabled: way.obstacle == nil) { call(way, widget) })
        }
        if let encryption { items.append(.init(localized("Encryption…"), encryption)) }
        if let search { items.append(.init(localized("Search Messages"), search)) }
        let own = buddy.room.map { roomItems(of: $0) } ?? buddyItems(of: buddy)
        if !items.isEmpty, !own.isEmpty { items.append(nil) }
        items += own
        if !items.isEmpty { items.append(nil) }
        items += listItems(of: buddy)
        if !buddy.isOperator, !id.buddy.isOccupant {
            items += [nil, .init(localized("Copy Address")) { Clipboard.write(id.buddy.text) }]
        }
        return items
    }

    private func listItems(of buddy: BuddyList.Row) -> [ContextMenu.Item?] {
        var items: [ContextMenu.Item?] = [
            .init(buddy.isPinned ? localized("Unpin") : localized("Pin")) {
                chat?.setPinned(!buddy.isPinned, id.buddy)
            },
            .init(
                buddy.isMuted
                    ? localizedIn("conversation", "Unmute") : localizedIn("conversation", "Mute")
            ) {
                chat?.setMuted(!buddy.isMuted, id.buddy)
            },
        ]
        if let chat, chat.mayUseRealTimeText(with: id.buddy) {
            let isOn = chat.hasRealTimeText(with: id.buddy)
            items.append(
                .init(isOn ? localized("Turn Off Real-Time Text") : localized("Turn On Real-Time Text")) {
                    chat.setRealTimeText(!isOn, id.buddy)
                })
        }
        if buddy.last != nil, !buddy.isOperator {
            items.append(.init(localized("Hide Conversation")) { chat?.hide(id.buddy) })
        }
        return items
    }

    private func buddyItems(of buddy: BuddyList.Row) -> [ContextMenu.Item?] {
        guard !buddy.isOperator, !id.buddy.isOccupant else { return [] }
        var items: [ContextMenu.Item?] = [.init(localized("Profile…")) { showProfile() }]
        if !buddy.isListed {
            items.append(.init(localized("Add to Buddies")) { add() })
        } else {
            // A contact’s conversations have the name of the contact.
            if buddy.person.name == nil { items.append(.init(localized("Rename…")) { rename() }) }
            // It may have declined, have removed the user, or have lost the request.
            if !buddy.tellsMe { items.append(.init(localized("Ask for Status…")) { askForStatus() }) }
            items.append(.init(localized("Remove…")) { remove() })
        }
        items.append(
            buddy.isBlocked
                ? ContextMenu.Item(localized("Unblock")) { unblock() }
                : ContextMenu.Item(localized("Block…")) { block() })
        return items
    }

    private func showProfile() {
        guard let chat else { return }
        ProfilePopover.show(id.buddy, name: name, chat: chat, at: widget, place: place)
    }

    func rename() {
        guard let buddy, buddy.isListed, !buddy.isOperator, buddy.room == nil, buddy.person.name == nil
        else { return }
        PromptPopover.ask(
            localized("Rename {name}", ["name": name]),
            fields: [.init(name: localized("Name"), text: buddy.name)], verb: localized("Rename"),
            at: widget, place: place
        ) { (texts) throws(ChatServiceError) in try await chat?.rename(id.buddy, texts[0]) }
    }

    /// Asks whether to remove a buddy from the list, or to leave a room.
    func remove() {
        guard let buddy, buddy.isListed, !buddy.isOperator else { return }
        if buddy.room != nil { return leave() }
        PromptPopover.ask(
            localized("Remove {name}?", ["name": name]),
            text: localized("You will no longer see each other’s status. The conversation is kept."),
            verb: localized("Remove"), isDestructive: true, at: widget, place: place
        ) { (_) throws(ChatServiceError) in try await chat?.remove(id.buddy) }
    }

    private func block() {
        PromptPopover.ask(
            localized("Block {name}?", ["name": name]),
            text: localized("You will receive nothing from this address until you unblock it."),
            verb: localizedIn("button", "Block"), isDestructive: true, at: widget, place: place
        ) { (_) throws(ChatServiceError) in try await chat?.setBlocked(true, id.buddy) }
    }

    private func unblock() {
        PromptPopover.ask(
            localized("Unblock {name}?", ["name": name]), verb: localized("Unblock"), at: widget, place: place
        ) { (_) throws(ChatServiceError) in try await chat?.setBlocked(false, id.buddy) }
    }

    private func askForStatus() {
        PromptPopover.ask(
            localized("Ask {name}?", ["name": name]),
            text: localized("You see when somebody is online once the request is accepted."),
            verb: localizedIn("button", "Ask"), at: widget, place: place
        ) { (_) throws(ChatServiceError) in try await chat?.askForPresence(of: id.buddy) }
    }

    private func add() {
        PromptPopover.ask(
            localized("Add {name}", ["name": name]),
            fields: [.init(name: localized("Name"), hint: localized("Optional"))],
            verb: localized("Add"), at: widget, place: place
        ) { (texts) throws(ChatServiceError) in try await chat?.add(id.buddy.text, name: texts[0]) }
    }
}
