// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The notifications of the incoming call and of missed calls.
///
/// While the phone is locked, the first shows only the number and no picture, and the second names nobody.
@MainActor
final class CallNotifications {
    /// The action that raises the window, with an activation token if there is one.
    var onOpen: (@MainActor (String?) -> Void)?
    /// Called before the call is answered, with an activation token if there is one.
    var onAnswer: (@MainActor (String?) -> Void)?
    /// Puts the caller of a missed call on the display, for the user to dial, with an activation token.
    var onCallBack: (@MainActor (RemoteParty, String?) -> Void)?

    /// Returns the image file of a caller; nil without one.
    var picture: (@MainActor (RemoteParty) async -> [UInt8]?)?

    /// Whether there are no notifications of missed calls; those that are still current appear when it ends.
    ///
    /// The calls know themselves which of them are heard.
    var isQuiet = false {
        didSet {
            guard isQuiet != oldValue else { return }
            if isQuiet { withdraw(Self.missedKey) } else { lockChanged() }
        }
    }

    private let calls: CallManager
    private let lock: Lock
    private let strings: CallStrings
    private let notifier: any Notifier
    private var ringing: Call.ID?
    /// The picture of the caller, once it has been read.
    private var portrait: NotePicture?
    /// The number of missed calls that the user has not seen, and the far end and the line of the last one.
    private var missed: (count: Int, last: RemoteParty, line: String)?
    /// The content last shown for each key; the same content is not sent again.
    private var shown: [String: DesktopNotifications.Note] = [:]
    /// The keys that the user has dismissed; they are shown again only for a further call.
    private var dismissed: Set<String> = []

    static let incomingKey = "incoming"
    static let missedKey = "missed"
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

    /// Withdraws the notification of missed calls after the user has seen the unlocked phone.
    func recordSeen() {
        guard missed != nil, !lock.isLocked else { return }
        missed = nil
        withdraw(Self.missedKey)
    }

    /// Withdraws the notification of a missed call, because the caller has left a message, which has its own.
    func recordMessage(from caller: RemoteParty) {
        guard let missed, missed.count == 1, missed.last.number == caller.number,
            missed.last.address == caller.address
        else { return }
        self.missed = nil
        withdraw(Self.missedKey)
    }

    func withdrawAll() {
        withdraw(Self.incomingKey)
        withdraw(Self.missedKey)
        (ringing, missed) = (nil, nil)
    }

    // MARK: - Changes

    private func changed(_ change: CallManager.Change) {
        switch change {
        case .calls: showIncoming()
        case .ended(let call):
            guard call.isMissed else { return }
            missed = ((missed?.count ?? 0) + 1, call.remote, call.line)
            dismissed.remove(Self.missedKey)
            showMissed()
        }
    }

    private func lockChanged() {
        // Names appear only while the phone is unlocked.
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
            readPicture(of: incoming)
            // The content is the same if the same number calls again, but it must be sent.
            shown[Self.incomingKey] = nil
            dismissed.remove(Self.incomingKey)
        }
        guard calls.isHeard(incoming) else {
            if shown[Self.incomingKey] != nil { withdraw(Self.incomingKey) }
            return
        }
        let number = strings.numberOrNone(incoming.remote)
        let name = lock.isLocked ? nil : strings.name(of: incoming.remote)
        let account = lock.isLocked ? "" : accountName(ofLine: incoming.line)
        let text = incoming.text.standing == .offered ? localized("With real-time text") : ""
        show(
            .init(
                key: Self.incomingKey, title: localized("{caller} is calling", ["caller": name ?? number]),
                body: Self.joined([name == nil ? "" : number, account, text]), category: "call.incoming",
                actions: [
                    .init(id: Self.answer, label: localizedIn("verb", "Answer")),
                    .init(id: Self.decline, label: localizedIn("verb", "Decline")),
                ], isOngoing: true, picture: lock.isLocked ? nil : portrait))
    }

    /// Adds the picture of the caller to the notification, which is not to wait for it.
    private func readPicture(of call: Call) {
        portrait = nil
        guard let picture else { return }
        Task { [weak self] in
            guard let file = await picture(call.remote), let read = await NotePicture.read(file),
                let self, ringing == call.id
            else { return }
            portrait = read
            showIncoming()
        }
    }

    private func showMissed() {
        guard let missed, !isQuiet else { return }
        let count =
            missed.count == 1
            ? "" : localizedPlural("{count} missed call", "{count} missed calls", missed.count)
        guard !lock.isLocked else {
            return show(
                .init(
                    key: Self.missedKey, title: localized("Missed call"), body: count,
                    category: "call.unanswered"))
        }
        // A caller who withholds the number and the address cannot be called back.
        let actions =
            missed.last.number.isDialable || CallAddress(missed.last.address) != nil
            ? [DesktopNotifications.Note.Action(id: Self.callBack, label: localized("Call Back"))] : []
        show(
            .init(
                key: Self.missedKey,
                title: localized("Missed call from {caller}", ["caller": strings.who(missed.last)]),
                body: Self.joined([count, accountName(ofLine: missed.line)]),
                category: "call.unanswered", actions: actions))
    }

    /// Returns the account on which a call came; empty if there is only one.
    private func accountName(ofLine id: String) -> String {
        PlainText.line(calls.accountLabel(ofLine: id), maximum: 60)
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func act(_ action: String, token: String?) {
        switch action {
        case Self.answer:
            onAnswer?(token)
            calls.answer()
        case Self.decline: calls.decline()
        case Self.callBack:
            guard let caller = missed?.last, !lock.isLocked else { return }
            recordSeen()
            onCallBack?(caller, token)
        default: break
        }
    }
}
