// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The header of the conversation, and the way back to the list in a narrow panel.
extension MessagePanel {
    package var isDetailChosen: Bool { messenger.selected != nil || isSearchShown }

    var isSearchShown: Bool {
        guard let insides, let search = insides.search else { return false }
        return gtk_stack_get_visible_child(insides.stack.cast()) == search.widget
    }

    package func arrange(_ arrangement: PanelArrangement) {
        self.arrangement = arrangement
        insides?.header.arrange(arrangement)
        insides?.conversation.isWide = arrangement.width == .wide
        fitList()
        showRequestsInView()
    }

    func detailChanged() {
        onDetail?()
        showRequestsInView()
    }

    /// Tells whether the requests and invitations above the list are in view; a narrow panel may show a conversation instead.
    func showRequestsInView() {
        messenger.buddies.areRequestsInView =
            messenger.isInView && insides != nil && !(arrangement.width == .narrow && isDetailChosen)
    }

    /// Shows the requests and invitations, without giving one of their buttons the focus.
    func showRequests() {
        build()
        if arrangement.width == .narrow, isDetailChosen {
            if isSearchShown { showConversation() }
            messenger.select(nil)
        }
        focus()
    }

    /// Gives the list its part of the panel: all beside the conversation, and at most a third above it, or more for a
    /// search.
    func fitList() {
        let part = messenger.selected == nil || insides?.buddies.isSearching == true ? 60 : 33
        insides?.buddies.room =
            arrangement.width == .wide ? .all : .upTo(arrangement.height * gint(part) / 100)
    }

    func showHeader() {
        guard let insides else { return }
        // Assistive tools may still hold the labels that they have read before.
        guard !isCovered else { return insides.header.show(nil) }
        guard let id = messenger.selected?.id, let buddy = messenger.buddies.row(of: id) else {
            insides.header.widget.isVisible = arrangement.hasWindowButtons || isSearchShown
            return insides.header.show(nil)
        }
        insides.header.widget.isVisible = true
        insides.header.show(
            ConversationHeader.Content(
                buddy: buddy, name: PlainText.line(messenger.buddies.name(of: id)),
                picture: insides.buddies.pictures.picture(of: id),
                account: messenger.accountName(of: id),
                call: call(of: id),
                encryption: EncryptionWords(id, in: messenger)))
    }

    /// Shows whether the other side can be called, except while the phone is locked: assistive tools would hear of it.
    func callsChanged() { if !isCovered { showHeader() } }

    private func call(of id: ConversationID) -> ConversationCall? {
        messenger.buddies.row(of: id).flatMap { callees?.call(to: id, $0) }
    }

    /// Says once that the server of an account keeps no keys, and what the user can do.
    private func sayWhyNothingIsEncrypted() {
        guard !isCovered, let id = messenger.selected?.id, let account = id.account,
            messenger.chat(of: id)?.encryption(of: id.buddy).support == .impossible(.server),
            keyless.insert(account).inserted
        else { return }
        navigator?.say(
            localized(
                "Your server keeps no keys, so your conversations can’t be encrypted. Ask whoever runs it to turn on personal eventing (PEP), or use an account on another server."
            ))
    }

    /// Shows how the open conversation is encrypted, and what can be chosen.
    func showEncryption() {
        guard let insides, !isCovered, let id = messenger.selected?.id else { return }
        EncryptionPopover.show(id, messenger, at: insides.header.encryption) { [weak self] in
            self?.showDevices(of: id)
        }
    }

    /// Shows the devices of the open conversation, and compares their keys with those of a link.
    func showDevices(of id: ConversationID, comparing keys: [LinkedKey] = []) {
        guard let insides, !isCovered, messenger.selected?.id == id, let chat = messenger.chat(of: id) else {
            return
        }
        // Below the list, there would not be enough room for them.
        let place = arrangement.width == .middle ? menu : insides.header.encryption
        DevicesPopover.show(
            id.buddy, chat: chat, at: place, comparing: keys.isEmpty ? nil : (id.buddy, keys)
        ) { [weak navigator] in await navigator?.askFile($0) }
    }

    /// Opens the devices of a conversation, and compares their keys with those of a link.
    func compare(_ keys: [LinkedKey], of id: ConversationID) {
        // Its header is in place with the next frame.
        MainLoop.afterFrame { [weak self] in self?.showDevices(of: id, comparing: keys) }
    }

    func watchHeader(_ insides: Insides) {
        let header = insides.header
        insides.buddies.onPicture = { [weak self] in
            if $0 == self?.messenger.selected?.id { self?.showHeader() }
        }
        header.onBack = { [weak self] in self?.goBack() }
        header.onSearch = { [weak self] in self?.search() }
        header.onCall = { [weak self] in
            guard let self, let id = messenger.selected?.id, let way = call(of: id) else { return }
            navigator?.call(way.callee, of: way.contact, at: $0)
        }
        header.onEncryption = { [weak self] in self?.showEncryption() }
        insides.conversation.obstacle.onDecide = { [weak self] in
            if let self, let id = messenger.selected?.id { showDevices(of: id) }
        }
        insides.conversation.onEncryption = { [weak self] in
            self?.showHeader()
            self?.sayWhyNothingIsEncrypted()
        }
        header.onMenu = { [weak self, weak header] in
            guard let self, let header, let id = messenger.selected?.id else { return }
            var menu = ConversationMenu(id: id, messenger: messenger, widget: header.menu) { [weak self] in
                self?.open($0)
            }
            menu.isOpen = true
            menu.callees = callees
            menu.call = { [weak navigator] in navigator?.call($0.callee, of: $0.contact, at: $1) }
            menu.encryption = { [weak self] in self?.showEncryption() }
            if arrangement.width == .narrow { menu.search = { [weak self] in self?.search() } }
            menu.show(at: header.menu, event: nil)
        }
    }

    /// Closes what is chosen, and returns to the list.
    func goBack() {
        if isSearchShown { return showConversation() }
        messenger.select(nil)
        if insides?.buddies.focusRow() != true { focus() }
    }
}
