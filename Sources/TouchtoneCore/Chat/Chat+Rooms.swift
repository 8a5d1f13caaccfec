// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Group chats

extension Chat {
    /// The nickname to suggest for a room: that of another room or, if there is none, the name of the account.
    public var suggestedNickname: String {
        buddies.lastNickname ?? account?.text.split(separator: "@").first.map { String($0) } ?? ""
    }

    /// Enters a room by a typed address, and opens its conversation.
    ///
    /// - Parameters:
    ///   - nickname: The user’s nickname in the room; empty for the suggested one.
    ///   - creation: How to create the room if it does not exist; without it, `RoomError.missing` is thrown.
    public func join(
        _ text: String, as nickname: String = "", password: String = "", creation: RoomCreation? = nil
    ) async throws(RoomError) {
        let service = try availableRooms()
        guard let room = address(text), room != .operatorAddress else { throw .notARoom }
        let typed = nickname.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // A link may have started the phone.
        await connectionSettled()
        try await service.join(
            room, as: typed.isEmpty ? suggestedNickname : typed, password: password, creation: creation)
        buddies.removeInvitation(to: room)
        select(room)
    }

    /// Returns the public rooms of the account’s server, by name.
    public func publicRooms() async throws(RoomError) -> [PublicRoom] {
        try await availableRooms().publicRooms().map { ($0, buddies.sortKey($0.name)) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    /// Enters a room of the list again, after the user was removed or the room refused the user.
    public func rejoin(_ room: ChatAddress) async throws(RoomError) {
        guard let known = buddies.row(of: room)?.room else { throw .missing }
        try await join(room.text, as: known.nickname)
    }

    /// Leaves a room; its messages are kept.
    ///
    /// Without a connection, the room’s bookmark would remain, and return the user to the room.
    public func leave(_ room: ChatAddress) throws(ChatServiceError) {
        try onlineRooms().leave(room)
        hide(room)
        Task { await failWaiting(in: room) }
    }

    /// Gives up the messages that wait for a room: they must not be sent to its address as to a person.
    private func failWaiting(in room: ChatAddress) async {
        let isOfRoom = { (buddy: ChatAddress) in buddy == room || buddy.text.hasPrefix(room.text + "/") }
        guard let waiting = try? await store.waiting().filter({ isOfRoom($0.buddy) }) else { return }
        let reason = localized("You are not in this room.")
        let updates = waiting.compactMap { message in
            message.name.map { MessageUpdate.failed(buddy: message.buddy, name: $0, reason: reason) }
        }
        if !updates.isEmpty { keep(updates, nil) { _ in } }
    }

    /// Removes an invitation without entering its room.
    public func decline(_ invitation: RoomInvitation) {
        roomService?.decline(invitation)
        buddies.removeInvitation(to: invitation.room)
    }

    /// Invites a person to a room by a typed address.
    public func invite(_ text: String, to room: ChatAddress, reason: String) throws(ChatServiceError) {
        guard let person = address(text), person != .operatorAddress else {
            throw .refused(localized("That is not a Jabber address. Example: grace@example.org"))
        }
        try onlineRooms().invite(person, to: room, reason: reason)
    }

    public func requestVoice(in room: ChatAddress) throws(ChatServiceError) {
        try onlineRooms().requestVoice(in: room)
    }

    public func setTopic(_ topic: String, of room: ChatAddress) throws(ChatServiceError) {
        try onlineRooms().setTopic(topic.carried, of: room)
    }

    /// Returns the people in a room, which the caller puts in order.
    public func people(in room: ChatAddress) -> PeopleOrder {
        PeopleOrder(roomService?.people(in: room) ?? [], by: buddies.sortKey)
    }

    /// Returns the nicknames of the others in a room, without those that cannot be written in a line.
    func nicknames(in room: ChatAddress) -> Set<String> {
        let others = (roomService?.people(in: room) ?? []).lazy.filter { !$0.isMe }.map(\.nickname)
        return Set(others.filter { PlainText.line($0) == $0 })
    }

    /// Returns the absent people with a lasting relation to a room, as far as the user may see them: the owners first,
    /// the banned ones last, then by address.
    public func absentees(of room: ChatAddress) async throws(RoomError) -> [RoomPerson] {
        let order: [RoomPerson.Affiliation] = [.owner, .admin, .member, .outcast]
        let all = try await availableRooms().absentees(of: room)
        return order.flatMap { affiliation in
            all.filter { $0.affiliation == affiliation }.sorted { $0.nickname < $1.nickname }
        }
    }

    /// Removes or bans a person; the room tells everybody the reason.
    public func remove(
        _ person: RoomPerson, from room: ChatAddress, isBanned: Bool, reason: String = ""
    ) async throws(RoomError) {
        try await availableRooms().remove(person, from: room, isBanned: isBanned, reason: reason.carried)
    }

    /// Returns whether the user can delete a message of somebody else in a room for everyone (XEP-0425).
    public func canModerate(_ message: ChatMessage) -> Bool {
        guard case .occupant = message.sender, message.retraction == nil, message.archiveName != nil,
            let room = buddies.row(of: message.buddy)?.room
        else { return false }
        return room.standing == .joined && room.rights.contains(.moderate)
    }

    /// Deletes a message of somebody else for everyone; it is gone once the room has told that.
    public func moderate(_ message: ChatMessage, reason: String = "") async throws(RoomError) {
        guard canModerate(message), let name = message.archiveName else {
            throw .refused(localized("You can no longer delete this message."))
        }
        try await availableRooms().moderate(name, in: message.buddy, reason: reason.carried)
    }

    /// Requests the settings of a room, which only its owners may change.
    public func settings(of room: ChatAddress) async throws(RoomError) -> RoomForm {
        try await availableRooms().settings(of: room)
    }

    /// Changes the settings of a room, which stays as it is if this fails.
    public func setSettings(_ settings: RoomForm, of room: ChatAddress) async throws(RoomError) {
        try await availableRooms().setSettings(settings, of: room)
    }

    /// Requests the form to become a member of a room; an empty nickname stands for the suggested one.
    public func registration(in text: String, as nickname: String) async throws(RoomError) -> RoomForm {
        let service = try availableRooms()
        guard let room = address(text) else { throw .notARoom }
        return try await service.registration(in: room, as: nickname.isEmpty ? suggestedNickname : nickname)
    }

    public func register(_ form: RoomForm, in text: String) async throws(RoomError) {
        let service = try availableRooms()
        guard let room = address(text) else { throw .notARoom }
        try await service.register(form, in: room)
    }

    public func change(
        _ person: RoomPerson, to change: RoomChange, in room: ChatAddress
    ) async throws(RoomError) {
        try await availableRooms().change(person, to: change, in: room)
    }

    var roomService: (any RoomService)? { services.lazy.compactMap(\.rooms).first }

    private func availableRooms() throws(RoomError) -> any RoomService {
        guard let roomService else { throw .offline }
        return roomService
    }

    private func onlineRooms() throws(ChatServiceError) -> any RoomService {
        guard let roomService, state == .online else { throw .offline }
        return roomService
    }

    /// Marks the room’s row if the message mentions the user, and returns whether to notify the user.
    func noteMention(in message: ChatMessage) -> Bool {
        guard let room = buddies.row(of: message.buddy)?.room else { return true }
        guard case .occupant = message.sender else { return false }
        // The text of an encrypted message is not by its sender.
        let isMention =
            message.content.encryption == nil && Mention.isIn(message.visibleText, of: room.nickname)
        if isMention { buddies.setMentioned(message.buddy) }
        return isMention || room.record.notifiesAll
    }
}

enum Mention {
    /// The number of characters of a text that are searched.
    static let limit = 20_000

    /// Returns whether a text contains a nickname as a word of its own, ignoring case.
    static func isIn(_ text: String, of nickname: String) -> Bool {
        let wanted = Array(nickname.lowercased())
        guard !wanted.isEmpty else { return false }
        let letters = Array(text.prefix(limit).lowercased())
        guard letters.count >= wanted.count else { return false }
        func isWord(_ index: Int) -> Bool {
            letters.indices.contains(index) && (letters[index].isLetter || letters[index].isNumber)
        }
        return (0...letters.count - wanted.count).contains { start in
            letters[start] == wanted[0] && !isWord(start - 1) && !isWord(start + wanted.count)
                && letters[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}
