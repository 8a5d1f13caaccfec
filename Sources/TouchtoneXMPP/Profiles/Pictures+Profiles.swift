// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The profiles of the account and its buddies (XEP-0054), which have their pictures, too.
extension Pictures: ProfileService {
    /// Requests the profile of a buddy or of the account; an empty one if there is none.
    func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile {
        guard client.state == .online else { throw .offline }
        let isOwn = buddy == ChatAddress(client.account.jid)
        do throws(RequestError) {
            return try await client.card(of: isOwn ? nil : buddy.jid).profile
        } catch {
            // A server answers in the same way for accounts without a vCard and for those that do not exist.
            if case .refused(let refusal) = error,
                ["item-not-found", "service-unavailable"].contains(refusal.condition)
            {
                return Profile()
            }
            throw ChatServiceError(error)
        }
    }

    func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError) {
        guard client.state == .online else { throw .offline }
        do throws(RequestError) {
            try await client.changeCard { VCardTemp.setting(changes, in: $0) }
        } catch {
            throw ChatServiceError(error)
        }
    }
}
