// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The answering machine and the recording of calls, on the Lines page.
@MainActor
final class AnsweringGroup {
    static let keys = [
        "answering-machine", "answering-after", "answering-whom", "answering-greeting", "answering-length",
        "answering-aloud", "recording-tone",
    ]
    private static let greetingKey = "answering-greeting"

    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let builder: Builder
    private let settings: Settings
    private let resources: Resources
    private let machine: AnsweringMachine
    private let voice: VoiceMessages
    private let greeting, choice, play, record: Widget
    private let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    private var rows: [ChoiceRow] = []
    private var isDestroyed = false
    /// Whether the recording that runs is that of a greeting.
    private var isRecording = false

    init(
        _ dependencies: PreferencesDependencies, machine: AnsweringMachine, voice: VoiceMessages
    ) throws(GLibError) {
        (settings, resources) = (dependencies.settings, dependencies.resources)
        (self.machine, self.voice) = (machine, voice)
        builder = try Builder(file: resources.layout("preferences-answering"))
        widget = try builder.object("answering")
        (greeting, choice) = (try builder.object("greeting-row"), try builder.object("greeting-choice-row"))
        (play, record) = (try builder.object("greeting-play"), try builder.object("greeting-record"))
        let widget = widget
        askFile = dependencies.askFile ?? { await FileDialog.ask($0, over: widget) }
        for key in ["answering-machine", "answering-aloud", "recording-tone"] {
            settings.bind(key, to: try builder.object(key, as: GtkWidget.self), "active")
        }
        try addChoices()
        Signal.connect(widget, "destroy") { [weak self] in self?.left() }
        Signal.connect(play, "clicked") { [weak self] in self?.playGreeting() }
        Signal.connect(record, "clicked") { [weak self] in self?.recordGreeting() }
        try builder.connect("greeting-file", "clicked") { [weak self] in Task { await self?.chooseFile() } }
        try builder.connect("greeting-reset", "clicked") { [weak self] in self?.choose("") }
        settings.follow(Self.greetingKey, until: widget) { [weak self] in self?.show() }
        voice.observe(by: self) { [weak self] _ in self?.show() }
        machine.observe(by: self) { [weak self] in self?.showProblem() }
        show()
        showProblem()
    }

    private func addChoices() throws(GLibError) {
        let seconds: [Int] = [5, 10, 15, 20, 30, 45, 60]
        rows = [
            ChoiceRow(
                try builder.object("answering-after"), of: "answering-after", in: settings, as: .count,
                seconds.map { .init(String($0), localizedPlural("{count} second", "{count} seconds", $0)) },
                nameOfUnknown: { localizedPlural("{count} second", "{count} seconds", Int($0) ?? 0) }),
            ChoiceRow(
                try builder.object("answering-whom"), of: "answering-whom", in: settings,
                [
                    .init("everyone", localizedIn("answering machine", "Everyone")),
                    .init("unknown", localizedIn("answering machine", "Unknown Callers")),
                ]),
            ChoiceRow(
                try builder.object("answering-length"), of: "answering-length", in: settings, as: .count,
                [1, 2, 3, 5, 10].map {
                    .init(String($0 * 60), localizedPlural("{count} minute", "{count} minutes", $0))
                },
                nameOfUnknown: { localizedPlural("{count} second", "{count} seconds", Int($0) ?? 0) }),
        ]
    }

    // MARK: - Display

    private func show() {
        guard !isDestroyed else { return }
        let path = settings[text: Self.greetingKey]
        let name =
            path.isEmpty
            ? localizedIn("greeting", "Built-in")
            : path == machine.recordings.ownGreeting
                ? localizedIn("greeting", "Recorded")
                : PlainText.line(String(path.split(separator: "/").last ?? ""), maximum: 100)
        hdy_action_row_set_subtitle(greeting.cast(), name)
        greeting.setAnnounced(name: localized("Greeting"), description: name)
        let isPlaying = voice.playback(of: .greeting) != nil
        gtk_button_set_label(play.cast(), isPlaying ? localized("Stop") : localizedIn("verb", "Play"))
        gtk_button_set_label(record.cast(), isRecording ? localized("Stop") : localizedIn("verb", "Record"))
        let canChange = settings.isWritable(Self.greetingKey)
        for name in ["greeting-record", "greeting-file"] { builder.setSensitive(name, canChange) }
        builder.setSensitive("greeting-reset", canChange && !path.isEmpty && !isRecording)
        if isRecording, case .recording(let seconds) = voice.activity {
            say(localized("Speak now: {time}", ["time": DurationText.text(seconds: seconds)]))
        } else if isRecording {
            // A call has ended it.
            isRecording = false
            show()
        }
    }

    private func showProblem() {
        guard !isDestroyed, let row: Widget = try? builder.object("answering-machine-row") else { return }
        hdy_action_row_set_subtitle(row.cast(), machine.problem?.sentence ?? "")
    }

    private func say(_ text: String) {
        guard !isDestroyed else { return }
        hdy_action_row_set_subtitle(choice.cast(), text)
        choice.setAnnounced(name: localized("Another Greeting"), description: text)
    }

    private func left() {
        isDestroyed = true
        if isRecording || voice.playback(of: .greeting) != nil { voice.stop() }
    }

    // MARK: - Actions

    private var greetingPath: String? {
        let own = settings[text: Self.greetingKey]
        return own.isEmpty ? resources.greeting(languages: Gettext.languages) : own
    }

    private func playGreeting() {
        guard voice.playback(of: .greeting) == nil else { return voice.stop() }
        guard let path = greetingPath else { return say(localized("The greeting can’t be read.")) }
        Task { [weak self, voice] in
            let problem = await voice.play(path, of: .greeting)
            self?.say(problem ?? "")
        }
    }

    private func choose(_ path: String) {
        settings[text: Self.greetingKey] = path
        say("")
    }

    private func chooseFile() async {
        let kind = FileDialog.Kind(
            localized("Sound Files"), types: ["audio/x-wav", "audio/flac", "audio/ogg", "audio/x-opus+ogg"],
            allFiles: localized("All Files"))
        let request = FileDialog.Request(
            opening: localized("Choose a Greeting"), verb: localized("_Open"), kind: kind)
        guard let answer = await askFile(request), !isDestroyed else { return }
        guard let path = answer.uri.withCString({ Files.path(of: $0) }) else {
            return say(localized("The greeting must be a file on this computer."))
        }
        choose(path)
    }

    /// Begins to record a greeting, or ends that and uses it.
    private func recordGreeting() {
        guard isRecording else {
            if let problem = voice.record() { return say(problem) }
            isRecording = true
            return show()
        }
        Task { [weak self, voice, machine] in
            let result = await voice.finish()
            self?.isRecording = false
            self?.show()
            switch result {
            case .recorded(let sound):
                do throws(RecordingFailure) {
                    let path = try await machine.recordings.saveGreeting(sound)
                    self?.choose(path)
                } catch {
                    self?.say(error.sentence)
                }
            case .tooShort: self?.say(localized("The recording was too short."))
            case .nothing: self?.say("")
            }
        }
    }
}
