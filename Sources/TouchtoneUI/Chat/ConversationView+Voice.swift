// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The voice messages of the conversation: recording one while the key is held, and playing those that it has.
extension ConversationView {
    func watchVoice() {
        gtk_widget_set_no_show_all(composer.voice.widget, 1)
        composer.voice.widget.isVisible = voice != nil
        guard let voice else { return }
        composer.voice.onBegin = { [weak self] in self?.record(voice) }
        composer.voice.onSend = { [weak self] in self?.sendRecording(voice) }
        composer.voice.onDiscard = { [weak self] in
            guard voice.isRecording else { return }
            voice.stop()
            self?.widget.announce(localized("Recording discarded"))
        }
        voice.onInterruption = { [weak self] reason in self?.report(reason) }
        voice.observe(by: self) { [weak self] before in self?.show(voice, before: before) }
        voice.overviews.observe(by: self) { [weak self] path in
            self?.messages.updateFile { [weak self] in self?.hasFile(path, $0) ?? false }
        }
        Signal.connect(widget, "unmap") { voice.stop() }
    }

    private func record(_ voice: VoiceMessages) {
        if let problem = voice.record() { return report(problem) }
        widget.announce(localized("Recording"))
    }

    private func sendRecording(_ voice: VoiceMessages) {
        let target = conversation
        Task { [weak self] in
            let result = await voice.finish()
            guard let self, conversation === target else { return }
            switch result {
            case .recorded(let content):
                send(content, name: localized("Voice Message") + ".ogg", mediaType: "audio/ogg")
            case .tooShort: report(localized("Hold the key while you speak."))
            case .nothing: break
            }
        }
    }

    /// Plays the file of a message, and downloads it before that if it is not on the disk.
    func play(_ message: ChatMessage, _ downloads: FileDownloads) {
        guard let voice else { return }
        Task { [weak self] in
            guard let path = await downloads.path(of: message), self?.isCovered == false,
                self?.conversation?.buddy == message.buddy
            else { return }
            if let problem = await voice.play(path, of: .message(message.id)) { self?.report(problem) }
        }
    }

    /// Moves within the sound of a message that is played, or waits to be played on.
    func move(_ message: ChatMessage, to position: Duration) {
        guard let voice, voice.playback(of: .message(message.id)) != nil else { return }
        Task { [weak self] in
            if let problem = await voice.move(to: position) { self?.report(problem) }
        }
    }

    private func report(_ problem: String) {
        composer.show(trouble: problem)
        widget.announce(problem)
    }

    private func hasFile(_ path: String, _ message: ChatMessage) -> Bool {
        message.content.files.contains { chat?.downloads?.state(of: $0) == .present(path) }
    }

    private func show(_ voice: VoiceMessages, before: VoiceMessages.Activity) {
        composer.voice.show(seconds: voice.activity.recorded)
        if before.message != nil, let words = before.words(followedBy: voice.activity) {
            widget.announce(words)
        }
        let played = Set([before, voice.activity].compactMap(\.message))
        if !played.isEmpty { messages.updateFile { played.contains($0.id) } }
    }
}

extension VoiceMessages.Activity {
    /// The seconds of the recording in progress; nil for none.
    fileprivate var recorded: Int? {
        if case .recording(let seconds) = self { seconds } else { nil }
    }

    /// The message that is played; nil for none.
    fileprivate var message: Int64? {
        if case .message(let message) = playback?.item { message } else { nil }
    }
}
