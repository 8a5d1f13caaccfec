// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Tells of who calls, wherever the user is, and of who was missed.
///
/// While the phone is locked the one has the number alone, and the other nobody.
@MainActor
final class CallNotifications {
    /// Called when the phone is to come to the front, with a token by which it may.
    var onOpen: (@MainActor (String?) -> Void)?
    /// Called when somebody who was missed is to be called back: the number waits to be dialled by hand.
    var onCallBack: (@MainActor (DialledNumber, String?) -> Void)?

    private let calls: CallManager
    private let lock: Lock
    private let strings: CallStrings
    private let notifier: any Notifier
    private var ringing: Call.ID?
    private var missed: (count: Int, last: RemoteParty)?
    /// The content that each key was last shown with; the same content is not sent again.
    private var shown: [String: DesktopNotifications.Note] = [:]
    /// The keys that were dismissed, and are not shown before there is a further call to report.
    private var dismissed: Set<String> = []

    /// The keys of the two notifications.
    static let incomingKey = "incoming"
    static let missedKey = "missed"
    /// The ids of their actions.
    static let answer = "answer"
    static let decline = "decline"
    static let callBack = "call-back"

    init(calls: CallManager, lock: Lock, strings: CallStrings, notifier: any Notifier) {
        (self.calls, self.lock, self.strings, self.notifier) = (calls, lock, strings, notifier)
        calls.observe(by: self) { [weak self] in self?.changed($0) }
        lock.observe(by: self) { [weak self] in self?.lockChanged() }
        notifier.onOpen = { [weak self] in self?.onOpen?($1) }
        notifier.onAction = { [weak self] in self?.act($1, token: $2) }
        notifier.onDismiss = { [weak self] key in
            self?.shown[key] = nil
            self?.dismissed.insert(key)
        }
    }

    /// The user has seen the phone, and what it says of missed calls.
    func recordSeen() {
        guard missed != nil, !lock.isLocked else { return }
        missed = nil
        withdraw(Self.missedKey)
    }

    /// Takes all back, as when the program ends.
    func withdrawAll() {
        withdraw(Self.incomingKey)
        withdraw(Self.missedKey)
        (ringing, missed) = (nil, nil)
    }
}

// MARK: - What happens

extension CallNotifications {
    private func changed(_ change: CallManager.Change) {
        switch change {
        case .calls: showIncoming()
        case .ended(let call):
            guard call.isMissed else { return }
            missed = ((missed?.count ?? 0) + 1, call.remote)
            dismissed.remove(Self.missedKey)
            showMissed()
        }
    }

    private func lockChanged() {
        // What is shown has a name, or has none, and may have to be the other way round now.
        if ringing != nil { showIncoming() }
        if missed != nil { showMissed() }
    }

    private func show(_ note: DesktopNotifications.Note) {
        guard !dismissed.contains(note.key), shown[note.key] != note else { return }
        shown[note.key] = note
        notifier.show(note)
    }

    private func withdraw(_ key: String) {
        shown[key] = nil
        dismissed.remove(key)
        notifier.withdraw(key)
    }

    private func showIncoming() {
        guard let incoming = calls.incoming else {
            if ringing != nil { withdraw(Self.incomingKey) }
            ringing = nil
            return
        }
        if ringing != incoming.id {
            ringing = incoming.id
            // The same number may call again.
            shown[Self.incomingKey] = nil
            dismissed.remove(Self.incomingKey)
        }
        let number = strings.numberOrNone(incoming.remote)
        let name = lock.isLocked ? nil : strings.name(of: incoming.remote)
        show(
            .init(
                key: Self.incomingKey, title: localized("{caller} is calling", ["caller": name ?? number]),
                body: name == nil ? "" : number, category: "call.incoming",
                actions: [
                    .init(id: Self.answer, label: localizedIn("verb", "Answer")),
                    .init(id: Self.decline, label: localized("Decline")),
                ], isOngoing: true))
    }

    private func showMissed() {
        guard let missed else { return }
        let count =
            missed.count == 1
            ? "" : localizedPlural("{count} missed call", "{count} missed calls", missed.count)
        guard !lock.isLocked else {
            return show(
                .init(
                    key: Self.missedKey, title: localized("Missed call"), body: count,
                    category: "call.unanswered"))
        }
        // Who tells no number cannot be called back.
        let actions =
            missed.last.number.isDialable
            ? [DesktopNotifications.Note.Action(id: Self.callBack, label: localized("Call Back"))] : []
        show(
            .init(
                key: Self.missedKey,
                title: localized("Missed call from {caller}", ["caller": strings.who(missed.last)]),
                body: count,
                category: "call.unanswered", actions: actions))
    }

    private func act(_ action: String, token: String?) {
        switch action {
        case Self.answer: calls.answer()
        case Self.decline: calls.decline()
        case Self.callBack:
            guard let number = missed?.last.number, !lock.isLocked else { return }
            recordSeen()
            onCallBack?(number, token)
        default: break
        }
    }
}
