// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The deck of the answering machine on the calls page, and the list of the recordings below it.
@MainActor
final class RecordingsView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "recordings")
    var isCovered = false {
        didSet {
            list.isCovered = isCovered
            // A locked phone shows no name, not even by hand.
            if isCovered { deck.show(DeckView.Content()) } else { show() }
        }
    }

    private let deck = DeckView()
    private let heading = Widget.label(isCut: true, style: "day")
    private let list = VirtualList<Int64, RecordingRow>(name: localized("Recordings"), guess: 52) {
        RecordingRow()
    }
    private let actions: RecordingActions
    private let format: @MainActor () -> CallCellFormatter
    /// The recording that PLAY plays.
    private var chosen: Recording.ID?
    private var recordings: Recordings { actions.machine.recordings }
    /// The most rows that are seen at once, so that the calls are never covered.
    private static let maximumRows = 3
    private static let rowHeight = 52.0

    /// - Parameters:
    ///   - calls: The calls, of which one may be recorded.
    ///   - format: Makes what formats the calls now.
    init(
        _ actions: RecordingActions, calls: CallManager, format: @escaping @MainActor () -> CallCellFormatter
    ) {
        (self.actions, self.format) = (actions, format)
        heading.text = localized("Recordings")
        for part in [deck.widget, heading, list.widget] { widget.add(part) }
        for part in [heading, list.widget] { gtk_widget_set_no_show_all(part, 1) }
        gtk_widget_show_all(widget)
        list.show = { [weak self] row, id in
            guard let self, let recording = recordings.recording(id) else { return }
            row.show(content(of: recording))
        }
        watch(calls)
        widget.followTextScale { [weak self] _ in self?.show() }
        show()
    }

    private func watch(_ calls: CallManager) {
        let machine = actions.machine
        actions.observe(by: self) { [weak self] words in
            self?.show()
            if let words { self?.widget.announce(words) }
        }
        machine.observe(by: self) { [weak self] in self?.show() }
        calls.observe(by: self) { [weak self] in if $0 == .calls { self?.show() } }
        list.onActivate = { [weak self] id, _ in self?.toggle(id) }
        list.onMenu = { [weak self] id, row, event in
            guard let self, let recording = recordings.recording(id) else { return }
            ContextMenu(items: actions.items(for: recording)).open(at: row.box, event: event)
        }
        list.onKey = { [actions] id, key in
            guard [GDK_KEY_Delete, GDK_KEY_KP_Delete].contains(Int32(bitPattern: key.keyval)) else {
                return false
            }
            actions.delete(id)
            return true
        }
        deck.onSwitch = { machine.isOn = $0 }
        deck.onPlay = { [weak self] in if let id = self?.current?.id { self?.toggle(id) } }
        deck.onStop = { [actions] in actions.stop() }
        deck.onErase = { [weak self] in if let self, let id = current?.id { actions.delete(id) } }
        deck.onMove = { [actions] in actions.move(to: $0) }
    }

    /// Plays a recording, or pauses the one that plays.
    private func toggle(_ id: Recording.ID) {
        chosen = id
        let isPlaying = actions.playback.map { $0.item == .recording(id) && !$0.isPaused } ?? false
        if isPlaying { actions.pause() } else { actions.play(id) }
    }

    // MARK: - Content

    /// The recording that is in the deck: the one that is played, the chosen one, the first that nobody has heard, or the newest.
    private var current: Recording? {
        let all = recordings.all
        if case .recording(let id) = actions.playback?.item, let played = recordings.recording(id) {
            return played
        }
        return chosen.flatMap(recordings.recording) ?? all.last { !$0.isHeard } ?? all.first
    }

    private func show() {
        guard !isCovered else { return }
        let all = recordings.all
        deck.show(deckContent)
        let isEmpty = all.isEmpty
        heading.isVisible = !isEmpty
        list.widget.isVisible = !isEmpty
        let rows = min(all.count, Self.maximumRows)
        let height = Double(rows) * Self.rowHeight * widget.textScale
        gtk_widget_set_size_request(list.widget, -1, gint(height.rounded(.up)))
        list.set(all.map(\.id))
        for (id, _) in list.built { list.update(id) }
    }

    private var deckContent: DeckView.Content {
        var content = DeckView.Content()
        let machine = actions.machine
        (content.isOn, content.isRecording) = (machine.isOn, machine.isRecording)
        content.unheard = recordings.unheard
        content.isFolded = !machine.isOn && recordings.all.isEmpty && !content.isRecording
        guard let current else { return content }
        content.label = format().name(of: current.call)
        content.length = current.length ?? .zero
        guard let playback = actions.playback, playback.item == current.sound else { return content }
        (content.length, content.position) = (playback.length, playback.position)
        content.isPlaying = !playback.isPaused
        return content
    }

    private func content(of recording: Recording) -> RecordingRow.Content {
        let labels = format().labels(of: recording)
        let isPlayed = actions.playback?.item == recording.sound
        let state =
            isPlayed
            ? localizedIn("recording", "Playing")
            : recording.isHeard ? localizedIn("recording", "Heard") : localizedIn("recording", "New")
        let kind = recording.kind == .call ? localizedIn("recording", "Call") : ""
        let length = recording.length.map { DurationText.text($0) } ?? ""
        let details = [state, kind, labels.line].filter { !$0.isEmpty }.joined(separator: ", ")
        return .init(
            name: labels.name, when: labels.when, details: details, length: length, isNew: !recording.isHeard,
            isPlayed: isPlayed,
            accessibleName: localizedList([labels.name, labels.when, details, length].filter { !$0.isEmpty }))
    }
}
