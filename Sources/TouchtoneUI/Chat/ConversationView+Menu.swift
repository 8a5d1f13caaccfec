// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The menu of a message.
extension ConversationView {
    func openMenu(of row: MessageRow, _ event: UnsafeMutablePointer<GdkEvent>?) {
        if let call = row.call { return openMenu(of: call, in: row, event) }
        // What is being typed is no message yet.
        guard let cell = row.cell, !cell.isLive else { return }
        let message = cell.message
        let words = message.retraction == nil ? wordItems(of: message, in: row) : []
        let groups: [[ContextMenu.Item?]] = [
            words, deletionItems(of: message, at: row.box), [detailsItem(of: message, at: row.box)],
        ]
        let items = groups.filter { !$0.isEmpty }.joined(separator: [nil])
        ContextMenu(items: Array(items)).open(at: row.box, event: event)
    }

    /// The items for what the message says, which a deleted one does not have.
    private func wordItems(of message: ChatMessage, in row: MessageRow) -> [ContextMenu.Item?] {
        var items = spoilerItems(of: message) + fileItems(of: message)
        if chat?.canReply(to: message) == true {
            items.append(
                ContextMenu.Item(localizedIn("verb", "Reply")) { [weak self] in self?.reply(to: message) })
        }
        items += annotationItems(of: message, at: row.box)
        items += copyItems(of: message, row.selection)
        for link in (row.body?.links ?? []).prefix(5) {
            let text = PlainText.line(link.text, maximum: 40)
            items.append(
                .init(localized("Open {link}", ["link": text])) { [weak navigator] in
                    navigator?.open(link.target)
                })
        }
        items += forwardingItems(of: message, at: row.box)
        if case .failed = message.state {
            items += [nil, .init(localized("Retry")) { [weak self] in self?.conversation?.retry(message) }]
        }
        if message.isCorrectable, message.name != nil {
            items += [nil, .init(localizedIn("verb", "Edit")) { [weak self] in self?.correct(message) }]
        }
        return items
    }

    private func copyItems(of message: ChatMessage, _ selection: String?) -> [ContextMenu.Item?] {
        let whole: @MainActor () -> Void = { Clipboard.write(message.visibleText) }
        guard let selection else { return [.init(localizedIn("verb", "Copy"), whole)] }
        return [
            .init(localized("Copy Selection")) { Clipboard.write(selection) },
            .init(localized("Copy Message"), whole),
        ]
    }

    private func forwardingItems(of message: ChatMessage, at row: Widget) -> [ContextMenu.Item?] {
        if message.forwardsFile {
            return [.init(localized("Forward…")) { [weak self] in self?.forwardFile(of: message, at: row) }]
        }
        guard let text = message.forwardedText else { return [] }
        return [.init(localized("Forward…")) { [weak self] in self?.forward(text, at: row) }]
    }

    /// Asks for a conversation, and opens it with the file of a message, which the user sends or not.
    private func forwardFile(of message: ChatMessage, at row: Widget) {
        guard let downloads = chat?.downloads else { return }
        let list = messages.list.widget
        ForwardPopover.show(
            messenger, except: conversation?.id, at: list, place: row.area(in: list)
        ) { id in
            Task { [weak self] in
                // If it cannot be downloaded, its card says why.
                guard let path = await downloads.path(of: message), let self else { return }
                messenger.select(id)
                attach(uris: [Files.uri(of: path)].compactMap { $0 })
            }
        }
    }

    /// Asks for a conversation, and opens it with a text in its field, which the user sends or not.
    private func forward(_ text: String, at row: Widget) {
        let list = messages.list.widget
        ForwardPopover.show(
            messenger, except: conversation?.id, at: list, place: row.area(in: list)
        ) { [weak self] id in
            guard let self else { return }
            messenger.chat(of: id)?.suggest(text, to: id.buddy)
            messenger.select(id)
            composer.focus()
        }
    }

    private func detailsItem(of message: ChatMessage, at row: Widget) -> ContextMenu.Item {
        .init(localized("Details…")) { [weak self] in
            guard let self else { return }
            let list = messages.list.widget
            let name = PlainText.line(messenger.buddies.name(of: message.conversation), maximum: 200)
            let account = messenger.accountName(of: message.conversation)
            let details = MessageDetails(message, buddyName: name, account: account)
            DetailsPopover.show(details, at: list, place: row.area(in: list)) { [chat] in
                guard message.content.device != nil,
                    let devices = try? await chat?.devices(in: message.buddy)
                else { return nil }
                return MessageDetails(message, buddyName: name, account: account, devices: devices)
            }
        }
    }
}

extension ChatMessage {
    /// Whether the message is forwarded as a new file: the link to an encrypted one has its key.
    var forwardsFile: Bool { !hasNoWords && isFileAlone && file?.isEncrypted == true }

    /// The text with which the message is forwarded: its words, and the addresses of its files; nil if it has none that
    /// others could use.
    var forwardedText: String? {
        guard !hasNoWords else { return nil }
        let links = content.files.filter { !$0.isOffer && !$0.isEncrypted }.compactMap(\.url)
        let words = isFileAlone ? "" : visibleText
        // The text of a file may be its address.
        let parts = [words] + links.filter { !words.contains($0) }
        let text = parts.filter { !$0.isEmpty }.joined(separator: "\n")
        return text.isEmpty ? nil : text
    }
}
