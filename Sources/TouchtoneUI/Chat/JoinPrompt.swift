// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The form for joining a room, and the question whether to create a room that does not exist.
@MainActor
enum JoinPrompt {
    /// Opens the form, filled in with an address.
    ///
    /// - Parameter account: The account that enters the room; empty if there is only one.
    static func ask(chat: Chat, account: String = "", address: String, at widget: Widget) {
        PromptPopover.ask(
            localized("Join Room"), text: account,
            fields: [
                .init(name: localized("Room"), text: address, hint: "room@rooms.example.org"),
                .init(name: localized("Nickname"), text: chat.suggestedNickname),
                .init(name: localized("Password"), hint: localized("Optional"), isSecret: true),
            ],
            verb: localizedIn("button", "Join"),
            alternative: .init(name: localized("Public Rooms…")) {
                PublicRooms.show(chat: chat, at: widget) {
                    ask(chat: chat, account: account, address: $0.text, at: widget)
                }
            }, at: widget
        ) { (texts) throws(ChatServiceError) in
            do throws(RoomError) {
                try await chat.join(texts[0], as: texts[1], password: texts[2])
            } catch {
                // The form closes first.
                switch error {
                case .missing: MainLoop.soon { askToCreate(chat: chat, texts, at: widget) }
                case .membersOnly:
                    MainLoop.soon { MembershipRequest.ask(texts[0], as: texts[1], chat: chat, at: widget) }
                default: throw .refused(error.text)
                }
            }
        }
    }

    /// Asks whether to make a room of the list that does not exist any more.
    static func askToCreate(chat: Chat, _ room: ChatAddress, at widget: Widget) {
        let nickname = chat.buddies.row(of: room)?.room?.nickname ?? ""
        askToCreate(chat: chat, [room.text, nickname, ""], at: widget)
    }

    private static func askToCreate(chat: Chat, _ texts: [String], at widget: Widget) {
        let room = PlainText.line(texts[0], maximum: 60)
        create(
            chat: chat, texts, isPrivate: false, title: localized("Create {room}?", ["room": room]),
            text: localized("This room does not exist yet."),
            alternative: .init(name: localized("Private Group…")) {
                create(
                    chat: chat, texts, isPrivate: true, title: localized("Create a private group?"),
                    text: localized(
                        "Only people you invite can enter. They can see each other’s addresses, and their messages can be encrypted."
                    ), at: widget)
            }, at: widget)
    }

    private static func create(
        chat: Chat, _ texts: [String], isPrivate: Bool, title: String, text: String,
        alternative: PromptPopover.Alternative? = nil, at widget: Widget
    ) {
        PromptPopover.ask(
            title, text: text,
            fields: [.init(name: localized("Name"), text: name(of: texts[0], in: chat))],
            verb: localizedIn("button", "Create"), alternative: alternative, at: widget
        ) { (names) throws(ChatServiceError) in
            let creation = RoomCreation(name: PlainText.line(names[0], maximum: 100), isPrivate: isPrivate)
            do throws(RoomError) {
                try await chat.join(texts[0], as: texts[1], password: texts[2], creation: creation)
            } catch {
                throw .refused(error.text)
            }
        }
    }

    /// Returns the name for a new room: what a bookmark calls it, or the beginning of its address.
    private static func name(of room: String, in chat: Chat) -> String {
        let known = chat.buddies.row(of: ChatAddress(room))?.room?.record.name ?? ""
        let local = room.split(separator: "@", maxSplits: 1).first.map { String($0) } ?? ""
        return PlainText.line(known.isEmpty ? local : known, maximum: 100)
    }
}
