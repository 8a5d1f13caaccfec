// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The notification of requests to see the user’s status and of invitations to rooms that arrive out of view: a single one
/// for all, without a sound, as a stranger may send many.
///
/// Answers are given in the window alone. While the phone is locked, the notification names nobody.
@MainActor
final class RequestNotifications {
    /// Raises the window with the requests, with an activation token if there is one.
    var onOpen: (@MainActor (String?) -> Void)?

    /// Whether arriving requests cause no notification.
    var isQuiet = false

    /// Something that is asked of the user.
    private struct Question {
        enum ID: Hashable {
            case status(ConversationID)
            case invitation(ConversationID)
        }
        let id: ID
        let chat: Chat
        let name, sentence: String
    }

    private let messenger: Messenger
    private let lock: Lock
    private let settings: Settings
    private let notifier: any Notifier
    /// The questions that the user has been told of, or has seen.
    private var told: Set<Question.ID> = []
    /// The questions that the present notification tells of.
    private var shown: Set<Question.ID> = []
    /// The notification while the phone is locked.
    private let hidden: PrivateNotification

    static let key = "requests"
    static let privateKey = "requests-locked"
    private static let maximumLines = 3
    /// More are forgotten: a server can make up any number of people.
    private static let maximumTold = 2000

    init(messenger: Messenger, lock: Lock, settings: Settings, notifier: any Notifier) {
        (self.messenger, self.lock, self.settings, self.notifier) = (messenger, lock, settings, notifier)
        hidden = PrivateNotification(
            localized("Somebody asks you something. Unlock the phone to see it."), key: Self.privateKey,
            notifier: notifier)
        notifier.onOpen = { [weak self] in self?.onOpen?($1) }
        notifier.onDismiss = { [weak self] in self?.dismissed($0) }
        messenger.buddies.observe(by: self) { [weak self] in if $0 == .requests { self?.changed() } }
        messenger.buddies.onRequestsSeen = { [weak self] in self?.changed() }
        lock.observe(by: self) { [weak self] in self?.lockChanged() }
    }

    func withdrawAll() {
        withdraw()
        hidden.withdraw()
    }

    private var questions: [Question] {
        let buddies = messenger.buddies
        return buddies.requests.map {
            Question(id: .status($0.id), chat: $0.chat, name: $0.name, sentence: $0.sentence)
        }
            + buddies.invitations.map {
                Question(id: .invitation($0.id), chat: $0.chat, name: $0.name, sentence: $0.sentence)
            }
    }

    private func changed() {
        let all = questions
        let present = Set(all.map(\.id))
        // A server repeats a request in each session, also to devices that have been told of it. An invitation that comes
        // again was sent again.
        let keepsPeople = told.count < Self.maximumTold
        told = told.filter {
            if case .status = $0, keepsPeople { true } else { present.contains($0) }
        }
        if messenger.buddies.areRequestsInView {
            told.formUnion(present)
            return withdraw()
        }
        shown.formIntersection(present)
        let new = present.subtracting(told)
        told.formUnion(new)
        guard !new.isEmpty else { return shown.isEmpty ? notifier.withdraw(Self.key) : () }
        guard !isQuiet, settings[flag: "message-notification"],
            messenger.ownPresence.availability != .busy
        else { return }
        guard !lock.isLocked else { return hidden.show() }
        shown.formUnion(new)
        notifier.show(note(of: all.filter { shown.contains($0.id) }))
    }

    private func note(of all: [Question]) -> DesktopNotifications.Note {
        var lines = all.prefix(Self.maximumLines).map(\.sentence)
        let more = all.count - lines.count
        if more > 0 { lines.append(localizedPlural("and {count} more", "and {count} more", more)) }
        var title = localizedPlural("{count} request", "{count} requests", all.count)
        if all.count == 1, let one = all.first {
            let account = messenger.accountName(of: one.chat)
            title =
                account.isEmpty
                ? one.name : localized("{name} – {account}", ["name": one.name, "account": account])
        }
        return .init(key: Self.key, title: title, body: lines.joined(separator: "\n"))
    }

    private func withdraw() {
        if !shown.isEmpty { notifier.withdraw(Self.key) }
        shown = []
    }

    /// A dismissed notification returns for a new request alone, and names that one only.
    private func dismissed(_ key: String) {
        if key == Self.key { shown = [] } else { hidden.dismissed() }
    }

    private func lockChanged() {
        // The lock hides all names; after unlocking, MSGS shows that something waits.
        if lock.isLocked {
            let hadRequests = !shown.isEmpty
            withdraw()
            if hadRequests { hidden.show() }
        } else {
            hidden.withdraw()
        }
    }
}
