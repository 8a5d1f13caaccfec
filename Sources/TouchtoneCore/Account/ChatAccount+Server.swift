// SPDX-License-Identifier: GPL-3.0-or-later

// What the user changes of the account on its server, while it is online.
extension ChatAccount {
    /// Gives the account another password, on the server and in the keyring.
    public func changePassword(to text: String) async throws(ChatServiceError) {
        try await connection.changePassword(to: text)
        keepReplaced(text)
    }

    /// Removes the account from its server, for ever; `remove()` then removes it here.
    public func removeFromServer() async throws(ChatServiceError) { try await connection.removeFromServer() }
}
