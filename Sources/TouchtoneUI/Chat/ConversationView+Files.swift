// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The files of the conversation: attaching, dropping and pasting them, and the keys of their cards.
extension ConversationView {
    func watchFiles() {
        composer.onAttach = { [weak self] in self?.chooseFiles() }
        composer.onRemoveFile = { [weak self] in
            guard let self, fileDrafts.indices.contains($0) else { return }
            fileDrafts.remove(at: $0)
            composer.focus()
        }
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
                self?.messages.updateFile { message in
                    message.content.files.contains { $0 == file || $0.url != nil && $0.url == file.url }
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

    /// The files that are about to be sent in this conversation.
    var fileDrafts: [FileDraft] {
        get { conversation.flatMap { drafts[$0.id] } ?? [] }
        set {
            guard let conversation else { return }
            drafts[conversation.id] = newValue.isEmpty ? nil : newValue
            composer.show(newValue)
        }
    }

    private func attach(_ attachment: Attachment) {
        switch attachment {
        case .none: break
        case .files(let uris): attach(uris: uris)
        case .picture(let picture):
            attach {
                await $0.draft(
                    of: picture, name: "picture.png", mediaType: "image/png", besides: $2, to: $1)
            }
        case .tooLarge:
            composer.show(trouble: localized("The picture is too large. Save it, and attach the file."))
        }
    }

    /// Sends a file that is not on the disk to the buddy of the conversation, at once.
    func send(_ content: [UInt8], name: String, mediaType: String) {
        guard let conversation, let uploads = conversation.chat.uploads, !isCovered else { return }
        messages.list.scrollToEnd()
        Task { [weak self] in
            let problem = await uploads.attach(
                content, name: name, mediaType: mediaType, to: conversation.buddy)
            if let self, self.conversation === conversation, let problem { composer.show(trouble: problem) }
        }
    }

    /// Adds files to those that are about to be sent, and explains those that cannot be.
    func attach(uris: [String]) {
        let paths = uris.compactMap { Files.path(of: $0) }
        let remote =
            paths.count == uris.count && !uris.isEmpty
            ? [] : [localized("Only files on this computer can be sent. Copy the others to it first.")]
        attach {
            guard !paths.isEmpty else { return ([], remote) }
            let (files, problems) = await $0.drafts(of: paths, besides: $2, to: $1)
            return (files, remote + problems)
        }
    }

    /// - Parameter examine: Returns the files that can be sent beside a number of others, and the problems with the rest.
    private func attach(
        _ examine:
            @escaping @MainActor (FileUploads, ChatAddress, Int) async -> (
                files: [FileDraft], problems: [String]
            )
    ) {
        guard let conversation, let uploads = conversation.chat.uploads, !isCovered else { return }
        Task { [weak self] in
            let count = self?.fileDrafts.count ?? 0
            let (files, problems) = await examine(uploads, conversation.buddy, count)
            guard let self, self.conversation === conversation else { return }
            if !files.isEmpty {
                // Others may have come meanwhile.
                fileDrafts = Array((fileDrafts + files).prefix(FileUploads.maximumAttached))
                composer.focus()
            }
            explain(problems)
        }
    }

    private func explain(_ problems: [String]) {
        guard !problems.isEmpty else { return }
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

    /// Sends the files, with the words about them.
    func sendFiles(with text: String, inReplyTo original: ChatMessage?) {
        guard let conversation else { return }
        let isSent = conversation.send(fileDrafts, text: text, inReplyTo: original) { [weak self] problems in
            if let self, self.conversation === conversation { explain(problems) }
        }
        guard isSent else { return composer.show(trouble: Conversation.tooLong) }
        fileDrafts = []
        composer.text = ""
        endReply()
        messages.list.scrollToEnd()
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
        case .pause: voice?.pause()
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
        guard message.content.files.count == 1 else { return savingItems(of: message) }
        var items: [ContextMenu.Item?] = []
        if message.needsUpload {
            items.append(.init(localized("Cancel")) { [weak self] in self?.act(.cancel, on: message) })
        } else if !file.isOffer || hasFile(of: message) {
            items.append(.init(localizedIn("verb", "Open")) { [weak self] in self?.act(.open, on: message) })
            items.append(.init(localized("Save As…")) { [weak self] in self?.act(.save, on: message) })
        }
        // The link to an encrypted file has its key.
        if let url = file.url, !file.isOffer, !file.isEncrypted {
            items.append(.init(localized("Copy Link")) { Clipboard.write(url) })
        }
        return items
    }

    /// The items that save each of several files.
    private func savingItems(of message: ChatMessage) -> [ContextMenu.Item?] {
        message.content.files.indices.map { index in
            let name = PlainText.line(message.content.files[index].name, maximum: 40)
            return .init(localized("Save “{name}”…", ["name": name])) { [weak self] in
                self?.act(.save, on: message.withFileAlone(index))
            }
        }
    }
}
