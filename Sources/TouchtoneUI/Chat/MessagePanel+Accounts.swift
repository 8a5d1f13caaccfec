// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// New accounts, with the invitation of a link or without one.
extension MessagePanel {
    /// Opens the form for a new account, which sends nothing before the user continues.
    func createAccount(_ invitation: AccountInvitation? = nil) {
        build()
        guard let accounts else { return }
        // A script or an administrator may have set the server before there is an account.
        let connection = accounts.first.details.isAccount ? AccountDetails() : accounts.first.details
        let signIn: @MainActor () -> Void = { [weak navigator] in navigator?.openAccount() }
        RegistrationPrompt.ask(
            accounts, invitation: invitation, connection: connection, at: menuKey.cast(),
            signIn: hasAccount ? nil : signIn
        ) { [weak self] in self?.welcome($0, invitation) }
    }

    private func welcome(_ made: RegistrationPrompt.Made, _ invitation: AccountInvitation?) {
        newAccount = NewAccount(
            made, invitation: invitation, open: { [weak self] in self?.open($0) },
            failed: { [weak self] error in
                guard let self, !isCovered else { return }
                navigator?.say(
                    localized(
                        "{name} could not be added to your buddies. {problem}",
                        [
                            "name": PlainText.line(invitation?.inviter ?? "", maximum: 120),
                            "problem": PlainText.line(error.text, maximum: 400),
                        ]))
            })
    }

    /// Returns whether an invitation is answered with a new account: one to a person only if there is none yet.
    func needsAccount(for invitation: AccountInvitation) -> Bool {
        accounts?.canRegister == true && (invitation.inviter.isEmpty || !hasAccount)
    }
}
