// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions of the user on recordings: play, pause, stop, move, save and delete.
@MainActor
final class RecordingActions {
    let machine: AnsweringMachine
    private let voice: VoiceMessages
    private let toast: Toast
    private weak var navigator: (any Navigator)?
    /// Whether the phone is locked, so that nothing is played.
    var isLocked = false
    /// Whether the list is gone, which is told nothing more.
    var isClosed = false

    private var recordings: Recordings { machine.recordings }

    init(machine: AnsweringMachine, voice: VoiceMessages, toast: Toast, navigator: (any Navigator)?) {
        (self.machine, self.voice, self.toast, self.navigator) = (machine, voice, toast, navigator)
    }

    /// Calls `body` when the recordings change, or what is played of them; with words for a screen reader at the end of one.
    func observe(by owner: AnyObject, _ body: @escaping @MainActor (String?) -> Void) {
        recordings.observe(by: owner) { [weak self] in if $0 == .all, self?.isClosed == false { body(nil) } }
        voice.observe(by: owner) { [weak self] before in
            guard let self, !isClosed, isOfRecording(before) || isOfRecording(voice.activity) else { return }
            body(isOfRecording(before) ? before.words(followedBy: voice.activity) : nil)
        }
    }

    /// The recording that is played, or is paused, and where.
    var playback: VoiceMessages.Playback? { isOfRecording(voice.activity) ? voice.activity.playback : nil }

    /// Returns the recordings of a call, as a row shows them; nil without one.
    func cell(of entry: HistoryEntry.ID) -> RecordingCell? {
        let all = recordings.recordings(of: entry)
        guard let shown = shown(all) else { return nil }
        let length = shown.length.map { DurationText.text($0) } ?? ""
        return RecordingCell(
            id: shown.id, isMessage: shown.kind == .message, length: length,
            isHeard: all.allSatisfy(\.isHeard), isPlaying: isPlaying(shown.id))
    }

    /// Returns the menu items for the recordings of a call.
    func items(of entry: HistoryEntry.ID) -> [ContextMenu.Item] {
        shown(recordings.recordings(of: entry)).map { items(for: $0) } ?? []
    }

    /// Returns the menu items for a recording.
    func items(for recording: Recording) -> [ContextMenu.Item] {
        [
            .init(isPlaying(recording.id) ? localized("Stop") : localized("Play Recording")) { [weak self] in
                self?.toggle(recording.id)
            },
            .init(localized("Save Recording As…")) { [weak self] in self?.save(recording) },
            .init(localized("Delete Recording")) { [weak self] in self?.delete(recording.id) },
        ]
    }

    /// Plays a recording, or stops it.
    func toggle(_ id: Recording.ID) {
        if isPlaying(id) { voice.stop() } else { play(id) }
    }

    /// Plays a recording, from where it was paused.
    func play(_ id: Recording.ID) {
        guard !isLocked, let recording = recordings.recording(id) else { return }
        Task { [weak self, voice, recordings, toast] in
            let path = recordings.path(of: recording)
            let problem = await voice.play(path, of: recording.sound, length: recording.length)
            if let problem { return toast.show(problem) }
            // A lock in the meantime has stopped it.
            if self?.isLocked == true { return voice.stop() }
            recordings.markHeard(id)
        }
    }

    func pause() { if isOfRecording(voice.activity) { voice.pause() } }

    func stop() { if isOfRecording(voice.activity) { voice.stop() } }

    func move(to position: Duration) {
        guard isOfRecording(voice.activity) else { return }
        Task { [voice, toast] in if let problem = await voice.move(to: position) { toast.show(problem) } }
    }

    func delete(_ id: Recording.ID) {
        if let recording = recordings.recording(id), voice.playback(of: recording.sound) != nil {
            voice.stop()
        }
        recordings.delete(id)
        toast.show(
            localized("Recording deleted."), verb: localized("Undo"),
            gone: { [recordings] in recordings.forget(id) },
            action: { [recordings] in recordings.restore(id) })
    }

    /// The recording that a row plays: the first that was not heard, or else the last one.
    private func shown(_ all: [Recording]) -> Recording? { all.first { !$0.isHeard } ?? all.last }

    private func isPlaying(_ id: Recording.ID) -> Bool {
        voice.playback(of: .recording(id))?.isPaused == false
    }

    private func save(_ recording: Recording) {
        Task { [weak navigator, recordings, toast] in
            let day = LocaleTime(seconds: recording.call.began.milliseconds / 1000)?.day ?? ""
            let request = FileDialog.Request(
                saving: localized("Save the Recording"), as: "recording-\(day).opus")
            guard let file = await navigator?.askFile(request),
                let source = Files.uri(of: recordings.path(of: recording))
            else { return }
            do throws(Files.Trouble) {
                let bytes = try await Files.read(source, maximum: Int(Recordings.maximumBytes))
                try await Files.write(bytes, to: file.uri)
                toast.show(localized("Recording saved."))
            } catch .failed(let reason) {
                let line = PlainText.line(reason, maximum: 200)
                toast.show(localized("The file can’t be written: {reason}", ["reason": line]))
            } catch {
                toast.show(localized("The file can’t be written."))
            }
        }
    }

    private func isOfRecording(_ activity: VoiceMessages.Activity) -> Bool {
        if case .recording = activity.playback?.item { true } else { false }
    }
}

/// The recordings of a call as its row shows them.
struct RecordingCell: Hashable {
    /// The recording that the key plays.
    let id: Recording.ID
    let isMessage: Bool
    let length: String
    let isHeard: Bool
    let isPlaying: Bool

    /// The words for assistive tools.
    var description: String {
        let kind =
            isMessage
            ? localizedIn("past call", "with a message, {length}", ["length": length])
            : localizedIn("past call", "recorded, {length}", ["length": length])
        return isHeard ? kind : localizedList([kind, localizedIn("message", "not heard")])
    }
}
