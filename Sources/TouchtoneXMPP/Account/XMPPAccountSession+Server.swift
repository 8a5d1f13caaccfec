// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// Changes of the account on its server (XEP-0077 sections 3.2 and 3.3).
extension XMPPAccountSession {
    public func changePassword(to password: String) async throws(ChatServiceError) {
        // Nobody could sign in with another one.
        guard let prepared = StringPreparation.sasl.apply(password), !prepared.isEmpty else {
            throw .refused(localized("The password contains characters that aren’t allowed."))
        }
        let own = client.account.jid
        try await askServer([
            XMLElement("username", RegistrationQuery.namespace, text: own.local),
            XMLElement("password", RegistrationQuery.namespace, text: password),
        ])
        if client.account.jid.bare == own.bare { client.account.password = password }
    }

    public func removeFromServer() async throws(ChatServiceError) {
        guard client.state == .online else { throw .offline }
        do throws(ChatServiceError) {
            try await askServer([XMLElement("remove", RegistrationQuery.namespace)])
        } catch {
            // Instead of an answer, ejabberd ends the stream, and there is no account to come back with.
            guard error == .offline, case .failed = client.state else { throw error }
        }
    }

    private func askServer(_ parts: [XMLElement]) async throws(ChatServiceError) {
        guard client.state == .online else { throw .offline }
        do throws(RequestError) {
            let query = XMLElement("query", RegistrationQuery.namespace, [:], parts)
            _ = try await client.request(.set, to: client.account.jid.server, query)
        } catch {
            throw ChatServiceError(error)
        }
    }
}
