// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The panel's menu: the user's presence, and commands for buddies and messages.
@MainActor
final class PanelMenu {
    private let messenger: Messenger
    private let button: UnsafeMutablePointer<GtkMenuButton>
    private let actions: ActionMap
    private let light = Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "light")
    private var lightStyle = ""
    private var hasAccount: @MainActor () -> Bool
    /// Returns the chats of the accounts that are used.
    private let usedChats: @MainActor () -> [Chat]

    private static let states: KeyValuePairs<String, Availability> = [
        "online": .online, "away": .away, "busy": .busy, "offline": .offline,
    ]

    /// - Parameter model: The menu, whose actions are named `chat.…`.
    init(
        messenger: Messenger, button: UnsafeMutablePointer<GtkMenuButton>,
        model: UnsafeMutablePointer<GMenuModel>, navigator: (any Navigator)?,
        hasAccount: @escaping @MainActor () -> Bool, usedChats: @escaping @MainActor () -> [Chat],
        search: @escaping @MainActor () -> Void
    ) {
        (self.messenger, self.button, self.hasAccount) = (messenger, button, hasAccount)
        self.usedChats = usedChats
        actions = ActionMap(of: button.cast(), prefix: "chat")
        let face = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        gtk_widget_set_valign(light, GTK_ALIGN_CENTER)
        face.add(light)
        face.add(.icon("pan-down-symbolic"))
        gtk_widget_show_all(face)
        gtk_container_add(button.cast(), face)
        actions.add("presence", choice: "online") { name in
            guard let state = Self.states.first(where: { $0.key == name })?.value else { return }
            messenger.ownPresence.availability = state
        }
        actions.add("status") { [weak self] in self?.askStatus() }
        actions.add("profile") { [weak self] in
            guard let self else { return }
            withAccount { [button] in OwnProfile.show(chat: $0, at: button.cast()) }
        }
        actions.add("add") { [weak self] in self?.askBuddy() }
        actions.add("invite") { [weak self] in self?.invite() }
        actions.add("join") { [weak self] in self?.askRoom() }
        actions.add("search", search)
        actions.add("account") { [weak navigator] in navigator?.openAccount() }
        gtk_menu_button_set_menu_model(button, model)
        show()
    }

    func show() {
        let own = hasAccount() ? messenger.ownPresence.availability : .offline
        let name = Self.states.first { $0.value == own }?.key ?? "online"
        actions.setChoice("presence", name)
        for action in ["presence", "status", "profile", "add", "invite", "join"] {
            actions.setEnabled(action, hasAccount())
        }
        let shown = messenger.state == .online ? messenger.first.shownPresence.availability : .offline
        if shown.style != lightStyle {
            light.set(style: lightStyle, false)
            lightStyle = shown.style
            light.set(style: lightStyle, true)
        }
        let words = hasAccount() ? Self.text(shown) : localized("No account")
        gtk_widget_set_tooltip_text(button.cast(), words)
        (button.cast() as Widget).setAccessible(description: words)
    }

    private static func text(_ availability: Availability) -> String {
        switch availability {
        case .chat, .online: localized("You are online")
        case .away, .extendedAway: localized("You are away")
        case .busy: localized("You are busy")
        case .offline: localized("You are offline")
        }
    }

    private func askStatus() {
        PromptPopover.ask(
            localized("Set Status"),
            fields: [
                .init(
                    name: localized("Status"), text: messenger.ownPresence.status, hint: localized("at lunch")
                )
            ],
            verb: localizedIn("button", "Set"), at: button.cast()
        ) { [messenger] (texts) throws(ChatServiceError) in messenger.ownPresence.status = texts[0] }
    }

    /// Calls a function with the only account, or with the one that the user chooses; that of the open conversation is
    /// offered first.
    private func withAccount(_ body: @escaping @MainActor (Chat) -> Void) {
        let (active, used) = (messenger.active, usedChats())
        guard used.count > 1 else { return body(used.first ?? active) }
        let chats = used.filter { $0 === active } + used.filter { $0 !== active }
        AccountPrompt.ask(
            localized("With which account?"), among: chats, at: button.cast(), choose: body)
    }

    /// - Parameters:
    ///   - token: The token of the buddy’s invitation; empty for none.
    ///   - chat: The chat in which the buddy is added; nil asks for it.
    func askBuddy(
        _ address: String = "", name: String = "", invitation token: String = "", of chat: Chat? = nil
    ) {
        guard let chat else {
            return withAccount { [weak self] in
                self?.askBuddy(address, name: name, invitation: token, of: $0)
            }
        }
        PromptPopover.ask(
            localized("Add Buddy"), text: messenger.accountName(of: chat),
            fields: [
                .init(name: localized("Address"), text: address, hint: localized("Address or phone number")),
                .init(name: localized("Name"), text: name, hint: localized("Optional")),
            ],
            verb: localized("Add"), at: button.cast()
        ) { (texts) throws(ChatServiceError) in
            // The token is for the person who invited, and for nobody else.
            let isInviter = chat.address(texts[0]) == chat.address(address)
            try await chat.add(texts[0], name: texts[1], invitation: isInviter ? token : "")
        }
    }

    /// Makes an invitation, and shows it.
    private func invite() {
        withAccount { [messenger, button] chat in
            InvitationPopover.show(chat: chat, account: messenger.accountName(of: chat), at: button.cast())
        }
    }

    /// - Parameter chat: The chat in which the room is entered; nil asks for it.
    func askRoom(_ address: String = "", of chat: Chat? = nil) {
        guard let chat else { return withAccount { [weak self] in self?.askRoom(address, of: $0) } }
        JoinPrompt.ask(
            chat: chat, account: messenger.accountName(of: chat), address: address, at: button.cast())
    }
}
