// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The pages of the panel: how the window leads to them, and what they ask of it.
extension PhoneWindow {
    /// The actions that show a page each.
    static var pageActions: [String] { PanelPageName.allCases.map(\.rawValue) }

    func addPageActions() {
        for page in PanelPageName.allCases {
            ActionMap(window).add(page.rawValue) { [weak self] in
                guard self?.side?.has(page) == true else { return }
                self?.open(page: page)
                self?.side?.focusPage()
            }
        }
    }

    /// Shows a page of the panel, and the panel for it.
    func open(page: PanelPageName) {
        if !folding.isOpen { folding.toggle() }
        side?.show(page)
    }

    /// Adds the pages of what the directory has.
    func addDirectoryPages() {
        guard let side, let directory, let wall = messages?.wall else { return }
        side.add(.calls) { [weak self, resources, toast = side.toast] () throws(GLibError) -> any PanelPage in
            try CallsPage(
                resources: resources, history: directory.history, outside: Self.callsOutside(of: self),
                toast: toast, wall: wall)
        }
    }
}

// MARK: - Calls

extension PhoneWindow {
    /// What the page of calls asks of a window, which may be gone by then.
    private static func callsOutside(of window: PhoneWindow?) -> CallsOutside {
        var outside = CallsOutside(
            written: { [weak window] in window?.phone.text(of: $0) ?? $0.text },
            fillIn: { [weak window] in window?.fillIn($0) },
            // In a call the key hangs up.
            canCall: { [weak window] in window?.phone.dialKey == .dial },
            call: { [weak window] number in
                guard let window, window.phone.dialKey == .dial else { return }
                window.fillIn(number)
                window.phone.dial()
            })
        outside.lineLabel = { [weak window] in window?.lines.line($0)?.label ?? "" }
        outside.jabber = { [weak window] in window?.jabberAddress(of: $0) }
        outside.message = { [weak window] in window?.showConversation(with: $0) }
        outside.contact = { [weak window] in window?.contactAction(for: $0) }
        outside.askFile = { [weak window] in await window?.askFile($0) }
        return outside
    }

    /// Puts a number into the display, and shows that.
    private func fillIn(_ number: DialledNumber) {
        phone.paste(number.text)
        if folding.isFolded, folding.isOpen { folding.toggle() }
    }

    private func contact(of call: PastCall) -> Contact? {
        directory?.contacts.contact(for: call.remote)
    }

    /// What leads from a call to who is known, or has somebody known from now on; nil where there is nothing to know.
    private func contactAction(for call: PastCall) -> (words: String, open: @MainActor () -> Void)? {
        if let contact = contact(of: call) {
            return ("Show Contact", { [weak self] in self?.showContact(contact.id) })
        }
        let remote = call.remote
        var ways = remote.number.isDialable ? [ContactWay(.number, phone.text(of: remote.number))] : []
        if !remote.address.isEmpty { ways.append(ContactWay(.sip, remote.address)) }
        guard !ways.isEmpty else { return nil }
        let card = ContactCard(name: PlainText.line(remote.displayName), ways: ways)
        return ("Add to Contacts…", { [weak self] in self?.addContact(card) })
    }

    private func jabberAddress(of call: PastCall) -> ChatAddress? {
        guard let contact = contact(of: call),
            let way = contact.card.ways.first(where: { $0.kind == .xmpp })
        else { return nil }
        return messages?.chat.address(way.text)
    }
}

// MARK: - Questions

extension PhoneWindow {
    /// Asks for a file; nil where none was chosen, or where the phone has been locked meanwhile.
    func askFile(_ request: FileDialog.Request) async -> FileDialog.Answer? {
        guard !cover.isOn else { return nil }
        let answer = await FileDialog.ask(request, over: window.cast())
        // One that came just before the lock is not acted upon behind it.
        return cover.isOn ? nil : answer
    }

    /// Takes back all that is asked: nobody else is to answer it, or to see what it is about.
    func cancelQuestions() {
        FileDialog.cancelAll()
        AskPopover.cancel()
        call.closeSpeakers()
    }
}

// MARK: - What waits

extension PhoneWindow {
    /// Has the keys that lead to the panel and its pages tell what waits there.
    func followWhatWaits() {
        messages?.chat.buddies.follow(self) { [weak self] _ in self?.showWhatWaits() }
        directory?.history.follow(self) { [weak self] in
            if $0 == .missed { self?.showWhatWaits() }
        }
    }

    /// The key that opens the panel is lit while something is unread, or a missed call not looked at.
    func showWhatWaits() {
        let (unread, missed) = (messages?.chat.buddies.unread ?? 0, directory?.history.missed ?? 0)
        let words = [
            unread > 0 ? "\(unread) unread" : "",
            missed == 0 ? "" : missed == 1 ? "1 missed call" : "\(missed) missed calls",
        ].filter { !$0.isEmpty }
        let key = messagesKey.cast(to: GtkWidget.self)
        phone.missedCalls = missed
        // Assistive tools would hear of it.
        guard !cover.isOn else { return }
        key.set(style: "unread", !words.isEmpty)
        key.setAccessible(description: words.joined(separator: ", "))
        side?.show(waiting: unread, words: "\(unread) unread", on: .messages)
        side?.show(waiting: missed, words: "\(missed) missed", on: .calls)
    }
}
