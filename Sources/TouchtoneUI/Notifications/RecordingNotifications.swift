// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The notification of messages on the answering machine, and that of its troubles; none while the phone is locked.
@MainActor
final class RecordingNotifications {
    /// The action that raises the window, with an activation token if there is one.
    var onOpen: (@MainActor (String?) -> Void)?
    /// Plays a recording, in the window, with an activation token if there is one.
    var onPlay: (@MainActor (Recording.ID, String?) -> Void)?
    var onCallBack: (@MainActor (RemoteParty, String?) -> Void)?
    /// Called with the caller who has left a message: the call needs no other notification.
    var onArrival: (@MainActor (RemoteParty) -> Void)?

    /// Whether there are no notifications.
    var isQuiet = false { didSet { if isQuiet { withdrawAll() } } }

    private let machine: AnsweringMachine
    private let lock: Lock
    private let strings: CallStrings
    private let notifier: any Notifier
    private var last: Recording?
    private var problem: RecordingFailure?

    static let key = "machine-message"
    static let problemKey = "machine-problem"
    static let play = "play"
    static let callBack = "call-back"

    init(machine: AnsweringMachine, lock: Lock, strings: CallStrings, notifier: any Notifier) {
        (self.machine, self.lock, self.strings, self.notifier) = (machine, lock, strings, notifier)
        machine.recordings.observe(by: self) { [weak self] in self?.changed($0) }
        machine.observe(by: self) { [weak self] in self?.showProblem() }
        lock.observe(by: self) { [weak self] in if self?.lock.isLocked == true { self?.withdrawAll() } }
        notifier.onOpen = { [weak self] in self?.onOpen?($1) }
        notifier.onAction = { [weak self] in self?.act($1, token: $2) }
    }

    func withdrawAll() {
        if last != nil { notifier.withdraw(Self.key) }
        last = nil
    }

    private func changed(_ change: Recordings.Change) {
        switch change {
        case .all:
            // It was heard, or deleted.
            if let last, machine.recordings.recording(last.id)?.isHeard != false { withdrawAll() }
        case .arrived(let recording):
            onArrival?(recording.call.remote)
            guard !isQuiet, !lock.isLocked else { return }
            last = recording
            show(recording)
        }
    }

    private func show(_ recording: Recording) {
        let remote = recording.call.remote
        let count = machine.recordings.unheard
        var actions = [DesktopNotifications.Note.Action(id: Self.play, label: localizedIn("verb", "Play"))]
        if remote.number.isDialable || CallAddress(remote.address) != nil {
            actions.append(.init(id: Self.callBack, label: localized("Call Back")))
        }
        notifier.show(
            .init(
                key: Self.key, title: localized("Message from {caller}", ["caller": strings.who(remote)]),
                body: count > 1 ? localizedPlural("{count} new message", "{count} new messages", count) : "",
                category: "call.unanswered", actions: actions))
    }

    /// Says once why the machine does not answer.
    private func showProblem() {
        guard machine.problem != problem else { return }
        problem = machine.problem
        guard let problem else { return notifier.withdraw(Self.problemKey) }
        notifier.show(
            .init(
                key: Self.problemKey, title: localized("Answering Machine"), body: problem.sentence,
                category: "device.error"))
    }

    private func act(_ action: String, token: String?) {
        guard let last, !lock.isLocked else { return }
        switch action {
        case Self.play: onPlay?(last.id, token)
        case Self.callBack: onCallBack?(last.call.remote, token)
        default: break
        }
    }
}
