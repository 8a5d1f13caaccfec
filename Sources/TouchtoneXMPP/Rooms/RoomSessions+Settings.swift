// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The settings of a room (XEP-0045 section 10.2).
extension RoomSessions {
    /// Requests the settings of a room, which only its owners may change.
    func settings(of room: ChatAddress) async throws(RoomError) -> RoomForm {
        let answer = try await askOwner(.get, room, [])
        guard let form = answer?.child("x", DataForm.namespace) else {
            throw .refused(localized("This room has no settings."))
        }
        guard let settings = RoomForm(form) else {
            throw .refused(localized("The server sent an invalid reply."))
        }
        return settings
    }

    /// Changes the settings; without a call of this, the room stays as it is, so there is nothing to cancel.
    func setSettings(_ settings: RoomForm, of room: ChatAddress) async throws(RoomError) {
        _ = try await askOwner(.set, room, [settings.submission])
    }

    private func askOwner(
        _ kind: IQ.Kind, _ room: ChatAddress, _ contents: [XMLElement]
    ) async throws(RoomError) -> XMLElement? {
        guard let session = session(room.jid) else { throw .missing }
        do throws(RequestError) {
            return try await account.client.request(
                kind, to: session.jid, XMLElement("query", MultiUserChat.owner, [:], contents))
        } catch {
            guard case .refused(let refusal) = error, refusal.condition == "forbidden" else {
                throw .refused(ChatServiceError(error).text)
            }
            throw .refused(localized("Only the owners of this room can change its settings."))
        }
    }
}
