// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// Asking to become a member of a room (XEP-0045 section 7.10).
extension RoomSessions {
    /// Requests the form with which the user asks to become a member of a room; the nickname is filled in.
    func registration(in room: ChatAddress, as nickname: String) async throws(RoomError) -> RoomForm {
        let answer = try await register(.get, room, [])
        guard answer?.child("registered") == nil else {
            throw .refused(localized("You already are a member of this room, or have asked to be one."))
        }
        guard let element = answer?.child("x", DataForm.namespace), var form = RoomForm(element) else {
            throw .refused(Self.noRegistration)
        }
        for index in form.fields.indices where form.fields[index].name == "muc#register_roomnick" {
            if form.fields[index].answer == .line("") { form.fields[index].answer = .line(nickname) }
        }
        return form
    }

    func register(_ form: RoomForm, in room: ChatAddress) async throws(RoomError) {
        _ = try await register(.set, room, [form.submission])
    }

    private static var noRegistration: String {
        localized("This room takes no requests. Ask its owner to add you.")
    }

    private func register(
        _ kind: IQ.Kind, _ room: ChatAddress, _ contents: [XMLElement]
    ) async throws(RoomError) -> XMLElement? {
        guard let jid = room.jid, !jid.local.isEmpty else { throw .notARoom }
        do throws(RequestError) {
            let query = XMLElement("query", MultiUserChat.register, [:], contents)
            return try await account.client.request(kind, to: jid.bare, query)
        } catch {
            guard case .refused(let refusal) = error else { throw .refused(ChatServiceError(error).text) }
            switch refusal.condition {
            case "conflict": throw .nicknameTaken
            case "forbidden": throw .banned
            case "registration-required", "not-allowed", "service-unavailable", "feature-not-implemented":
                throw .refused(Self.noRegistration)
            default: throw .refused(refusal.reasonForUser)
            }
        }
    }
}
