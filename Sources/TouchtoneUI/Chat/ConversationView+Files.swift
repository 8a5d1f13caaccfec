// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The files of the conversation: attaching, dropping and pasting them, and the keys of their cards.
extension ConversationView {
    func watchFiles() {
        composer.onAttach = { [weak self] in self?.chooseFiles() }
        composer.onPaste = { [weak self] in self?.attach($0) }
        // What is dropped on a placeholder goes to the widget around it, not to the one that it covers.
        for place in [overlay, composer.widget, composer.field] {
            Signal.connectFileDrop(place) { [weak self] text in
                if let self, conversation != nil, !isCovered { composer.insert(text) }
            } _: { [weak self] in
                self?.attach($0)
            }
        }
        messenger.observeChats(by: self) { [weak self] chat in
            guard let self else { return }
            chat.uploads?.observe(by: self) { [weak self] id in
                guard let self else { return }
                if let id { messages.updateFile { $0.id == id } } else { showAttachKey() }
            }
            chat.downloads?.observe(by: self) { [weak self] file in
                self?.messages.updateFile {
                    $0.file == file || $0.file?.url != nil && $0.file?.url == file.url
                }
            }
        }
    }

    /// Enables the key “Attach”, or explains why no files can be sent.
    func showAttachKey() {
        guard let conversation, let uploads = conversation.chat.uploads else {
            return composer.show(canAttach: false, reason: "")
        }
        let obstacle = uploads.obstacle(to: conversation.buddy)
        composer.show(canAttach: obstacle == nil, reason: obstacle ?? "")
    }

    private func attach(_ attachment: Attachment) {
        switch attachment {
        case .none: break
        case .files(let uris): attach(uris: uris)
        case .picture(let picture):
            attach(picture, name: "picture.png", mediaType: "image/png")
        case .tooLarge:
            composer.show(trouble: localized("The picture is too large. Save it, and attach the file."))
        }
    }

    /// Sends a file that is not on the disk to the buddy of the conversation.
    func attach(_ content: [UInt8], name: String, mediaType: String) {
        attach { await $0.attach(content, name: name, mediaType: mediaType, to: $1).map { [$0] } ?? [] }
    }

    /// Sends files to the buddy of the conversation, and explains those that cannot be sent.
    func attach(uris: [String]) {
        let paths = uris.compactMap { Files.path(of: $0) }
        let remote =
            paths.count == uris.count && !uris.isEmpty
            ? [] : [localized("Only files on this computer can be sent. Copy the others to it first.")]
        attach { remote + (paths.isEmpty ? [] : await $0.attach(paths, to: $1)) }
    }

    private func attach(_ body: @escaping @MainActor (FileUploads, ChatAddress) async -> [String]) {
        guard let conversation, let uploads = conversation.chat.uploads, !isCovered else { return }
        messages.list.scrollToEnd()
        Task { [weak self] in
            let problems = await body(uploads, conversation.buddy)
            guard let self, self.conversation === conversation, !problems.isEmpty else { return }
            var shown = problems.prefix(3).joined(separator: "\n")
            if problems.count > 3 {
                shown +=
                    "\n"
                    + localizedPlural(
                        "{count} more file was not accepted.", "{count} more files were not accepted.",
                        problems.count - 3)
            }
            composer.show(trouble: shown)
        }
    }

    private func chooseFiles() {
        Task { [weak self, weak navigator] in
            guard
                let answer = await navigator?.askFile(
                    .init(
                        opening: localized("Attach Files"), verb: localizedIn("verb", "Attach"),
                        isMultiple: true))
            else { return }
            self?.attach(uris: answer.uris)
        }
    }

    func act(_ key: FileCell.Key, on message: ChatMessage) {
        guard let file = message.file, let downloads = chat?.downloads else { return }
        switch key {
        case .show, .retry: downloads.show(message)
        case .cancel:
            if message.needsUpload { chat?.uploads?.cancel(message) } else { downloads.cancel(message) }
        case .save: save(message, file, downloads)
        case .open: open(message, downloads)
        case .play: play(message, downloads)
        case .stop: voice?.stop()
        }
    }

    private func save(_ message: ChatMessage, _ file: SharedFile, _ downloads: FileDownloads) {
        Task { [weak self, weak navigator] in
            let name = PlainText.line(file.name).replacing("/", with: "_")
            guard
                let answer = await navigator?.askFile(.init(saving: localized("Save the File"), as: name)),
                let problem = await downloads.save(message, to: answer.uri)
            else { return }
            self?.composer.show(trouble: problem)
        }
    }

    private func open(_ message: ChatMessage, _ downloads: FileDownloads) {
        Task { [weak self, weak navigator] in
            guard let path = await downloads.path(of: message) else { return }
            do throws(FileProblem) {
                let file = try await downloads.inspect(path)
                guard !file.isProgram else {
                    let name = PlainText.line(file.name, maximum: 80)
                    self?.composer.show(
                        trouble: localized(
                            "“{name}” is a program, which is not opened from here. Save it if you trust its sender.",
                            ["name": name]))
                    return
                }
                if self?.isCovered == false { navigator?.openFile(path) }
            } catch {
                self?.composer.show(trouble: error.text(of: message.file?.name ?? ""))
            }
        }
    }

    /// Returns whether the file of a message is offered, or on the disk.
    private func hasFile(of message: ChatMessage) -> Bool {
        guard let file = message.file else { return false }
        switch chat?.downloads?.state(of: file) {
        case .absent, .present: return true
        case .unknown, .loading, .failed, nil: return false
        }
    }

    func fileItems(of message: ChatMessage) -> [ContextMenu.Item?] {
        guard let file = message.file else { return [] }
        var items: [ContextMenu.Item?] = []
        if message.needsUpload {
            items.append(.init(localized("Cancel")) { [weak self] in self?.act(.cancel, on: message) })
        } else if !file.isOffer || hasFile(of: message) {
            items.append(.init(localizedIn("verb", "Open")) { [weak self] in self?.act(.open, on: message) })
            items.append(.init(localized("Save As…")) { [weak self] in self?.act(.save, on: message) })
        }
        if let url = file.url, !file.isOffer {
            items.append(.init(localized("Copy Link")) { Clipboard.write(url) })
        }
        return items
    }
}
