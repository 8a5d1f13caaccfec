// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// An account that was just made, which opens the conversation with the inviter.
@MainActor
final class NewAccount {
    private let made: RegistrationPrompt.Made
    private let invitation: AccountInvitation?
    private let open: @MainActor (ConversationID) -> Void
    private let failed: @MainActor (ChatServiceError) -> Void
    private var isDone = false

    /// - Parameters:
    ///   - open: Opens a conversation, once.
    ///   - failed: Called if the inviter could not be added.
    init(
        _ made: RegistrationPrompt.Made, invitation: AccountInvitation?,
        open: @escaping @MainActor (ConversationID) -> Void,
        failed: @escaping @MainActor (ChatServiceError) -> Void
    ) {
        (self.made, self.invitation, self.open, self.failed) = (made, invitation, open, failed)
        if let inviter { open(ConversationID(inviter, of: made.chat.account)) }
        made.account.observe(by: self) { [weak self] in self?.follow() }
        // Who comes by an invitation to the server finds the inviter in the list.
        made.chat.buddies.observe(by: self) { [weak self] _ in self?.follow() }
    }

    private var inviter: ChatAddress? {
        (invitation?.inviter).flatMap { $0.isEmpty ? nil : made.chat.address($0) }
    }

    private func follow() {
        guard !isDone, made.account.state == .online, let invitation else { return }
        if let inviter {
            isDone = true
            Task { [weak self, chat = made.chat, failed] in
                do throws(ChatServiceError) {
                    try await chat.add(inviter.text, name: "", invitation: invitation.tokenForInviter)
                } catch .offline {
                    // The connection broke meanwhile: it is sent with the next one.
                    self?.isDone = false
                } catch {
                    failed(error)
                }
            }
        } else if let only = onlyBuddy {
            isDone = true
            open(ConversationID(only, of: made.chat.account))
        }
    }

    /// The only person in the list of the new account; nil if there are none, or several.
    private var onlyBuddy: ChatAddress? {
        let people = made.chat.buddies.rows.filter { $0.isListed && $0.room == nil && !$0.isOperator }
        return people.count == 1 ? people[0].id : nil
    }
}
