// SPDX-License-Identifier: GPL-3.0-or-later

/// A service with group chats (XEP-0045).
@MainActor
public protocol RoomService: AnyObject {
    /// Enters a room, and bookmarks it; an empty password stands for none.
    ///
    /// - Parameter creation: How to create the room if it does not exist; nil to not create it.
    func join(_ room: ChatAddress, as nickname: String, password: String, creation: RoomCreation?)
        async throws(RoomError)
    /// Returns the public rooms of the account’s server, in no particular order.
    func publicRooms() async throws(RoomError) -> [PublicRoom]
    /// Leaves a room, and removes its bookmark; the conversation is kept.
    func leave(_ room: ChatAddress)
    /// Returns the people in a room, in no particular order.
    func people(in room: ChatAddress) -> [RoomPerson]
    /// Returns absent people in no particular order; none if the room does not show them to the user.
    func absentees(of room: ChatAddress) async throws(RoomError) -> [RoomPerson]
    /// Sets which messages of a room notify the user, also on the other devices where the server can keep that.
    func setNotifications(_ level: NotificationLevel, in room: ChatAddress)
    /// Tells the account's other devices whether a room is pinned, now or once that is possible.
    func setPinned(_ isPinned: Bool, _ room: ChatAddress)
    /// Asks the moderators of a room to let the user speak.
    func requestVoice(in room: ChatAddress)
    func setTopic(_ topic: String, of room: ChatAddress)
    func invite(_ person: ChatAddress, to room: ChatAddress, reason: String)
    /// Removes or bans a person; the room tells everybody the reason.
    func remove(_ person: RoomPerson, from room: ChatAddress, isBanned: Bool, reason: String)
        async throws(RoomError)
    /// Deletes a message of somebody for everyone, which the room then tells all.
    ///
    /// - Parameter archiveName: The ID of the message in the archive of the room.
    func moderate(_ archiveName: String, in room: ChatAddress, reason: String) async throws(RoomError)
    func settings(of room: ChatAddress) async throws(RoomError) -> RoomForm
    func setSettings(_ settings: RoomForm, of room: ChatAddress) async throws(RoomError)
    /// Requests the form with which the user asks to become a member of a room; the nickname is filled in.
    func registration(in room: ChatAddress, as nickname: String) async throws(RoomError) -> RoomForm
    /// Asks to become a member of a room, which may take a while to accept that.
    func register(_ form: RoomForm, in room: ChatAddress) async throws(RoomError)
    func change(_ person: RoomPerson, to change: RoomChange, in room: ChatAddress) async throws(RoomError)
    /// Tells the inviter that the user declined, if the invitation allows it.
    func decline(_ invitation: RoomInvitation)
}
