// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// Roles and affiliations of the people in a room (XEP-0045 sections 8 to 10).
extension RoomSessions {
    func remove(_ person: RoomPerson, from room: ChatAddress, isBanned: Bool, reason: String)
        async throws(RoomError)
    {
        guard let session = session(room.jid) else { throw .missing }
        let item =
            isBanned ? try affiliation(.outcast, of: person) : ["nick": person.nickname, "role": "none"]
        try await administer(session, item, reason: reason)
    }

    func change(_ person: RoomPerson, to change: RoomChange, in room: ChatAddress) async throws(RoomError) {
        guard let session = session(room.jid) else { throw .missing }
        switch change {
        case .role(let role):
            try await administer(session, ["nick": person.nickname, "role": role.rawValue])
        case .affiliation(let new): try await administer(session, try affiliation(new, of: person))
        }
    }

    func moderate(_ archiveName: String, in room: ChatAddress, reason: String) async throws(RoomError) {
        guard let session = session(room.jid) else { throw .missing }
        let request = Retraction.moderating(archiveName, reason: reason, features: session.state.features)
        do throws(RequestError) {
            _ = try await account.client.request(.set, to: session.jid, request)
        } catch {
            throw .refused(ChatServiceError(error).text)
        }
    }

    /// Returns the item that changes the affiliation of a person, which belongs to the person's address.
    private func affiliation(
        _ affiliation: RoomPerson.Affiliation, of person: RoomPerson
    ) throws(RoomError) -> KeyValuePairs<String, String?> {
        guard let jid = person.address?.jid?.bare else {
            throw .refused(localized("The room hides this person’s address, so you can’t do that."))
        }
        return ["jid": jid.description, "affiliation": affiliation.rawValue]
    }

    private func administer(
        _ session: RoomSession, _ attributes: KeyValuePairs<String, String?>, reason: String = ""
    ) async throws(RoomError) {
        let text = reason.isEmpty ? [] : [XMLElement("reason", MultiUserChat.admin, text: reason)]
        let item = XMLElement("item", MultiUserChat.admin, attributes, text)
        do throws(RequestError) {
            _ = try await account.client.request(
                .set, to: session.jid, XMLElement("query", MultiUserChat.admin, [:], [item]))
        } catch {
            throw .refused(ChatServiceError(error).text)
        }
    }
}

// MARK: - Absent people

extension RoomSessions {
    /// The affiliations whose lists a room has (XEP-0045 sections 9.2, 9.5, 10.5 and 10.8).
    private static let listed: [RoomPerson.Affiliation] = [.owner, .admin, .member, .outcast]

    /// Returns the absent people with an affiliation, in no particular order.
    ///
    /// Administrators and owners may ask for them, and in a private room, members may too. A list that the room refuses
    /// is left out.
    func absentees(of room: ChatAddress) async throws(RoomError) -> [RoomPerson] {
        guard let session = session(room.jid) else { throw .missing }
        guard session.state.rights.contains(.ban) || session.state.isPrivate else { return [] }
        // All lists are requested at once.
        let requests = Self.listed.map { affiliation in Task { await people(affiliation, of: session) } }
        var all: [RoomPerson] = []
        for request in requests { all += try await request.value.get() }
        return session.state.absentees(among: all, own: account.client.account.jid.bare)
    }

    /// Returns the addresses of all who may be in a private room, besides the user’s; nil if the room does not tell them.
    func members(of session: RoomSession) async -> Set<JID>? {
        let affiliations: [RoomPerson.Affiliation] = [.owner, .admin, .member]
        let requests = affiliations.map { affiliation in Task { await list(affiliation, of: session) } }
        var members = Set(session.state.occupants.values.compactMap { $0.item.jid?.bare })
        for request in requests {
            guard let people = try? await request.value.get() else { return nil }
            members.formUnion(people.compactMap { $0.address?.jid?.bare })
        }
        members.remove(account.client.account.jid.bare)
        return members
    }

    private func people(
        _ affiliation: RoomPerson.Affiliation, of session: RoomSession
    ) async -> Result<[RoomPerson], RoomError> {
        switch await list(affiliation, of: session) {
        case .success(let people): .success(people)
        case .failure(.refused): .success([])
        case .failure(let error): .failure(.refused(ChatServiceError(error).text))
        }
    }

    private func list(
        _ affiliation: RoomPerson.Affiliation, of session: RoomSession
    ) async -> Result<[RoomPerson], RequestError> {
        let item = XMLElement("item", MultiUserChat.admin, ["affiliation": affiliation.rawValue])
        return await Result.of { () throws(RequestError) in
            let answer = try await account.client.request(
                .get, to: session.jid, XMLElement("query", MultiUserChat.admin, [:], [item]))
            return MultiUserChat.people(affiliation, in: answer)
        }
    }
}

extension MultiUserChat {
    /// Reads the list of the people with an affiliation, up to the number of people that a room may have.
    static func people(_ affiliation: RoomPerson.Affiliation, in list: XMLElement?) -> [RoomPerson] {
        guard let list, list.isNamed("query", admin) else { return [] }
        return list.children("item").prefix(RoomState.maximumOccupants).compactMap { item in
            guard item["affiliation"] == affiliation.rawValue, let jid = item["jid"].flatMap({ JID($0) })
            else {
                return nil
            }
            return RoomPerson(absent: ChatAddress(jid.bare), affiliation)
        }
    }
}

extension RoomState {
    /// Returns the listed people who are not in the room.
    ///
    /// If the room hides the address of an occupant, only the banned ones are known to be absent.
    func absentees(among people: [RoomPerson], own: JID) -> [RoomPerson] {
        let jids = occupants.values.map { $0.item.jid?.bare }
        let isOpen = !jids.contains(nil)
        let present = Set((jids.compactMap { $0 } + [own]).map { ChatAddress($0) })
        var seen: Set<ChatAddress> = []
        return people.filter { person in
            guard let address = person.address, isOpen || person.affiliation == .outcast else { return false }
            return !present.contains(address) && seen.insert(address).inserted
        }
    }
}
