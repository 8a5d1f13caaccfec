// SPDX-License-Identifier: GPL-3.0-or-later

/// A service with group chats (XEP-0045).
@MainActor
public protocol RoomService: AnyObject {
    /// Enters a room, and bookmarks it.
    ///
    /// - Parameters:
    ///   - nickname: The user’s nickname in the room.
    ///   - password: The password of the room; empty for none.
    ///   - creates: Whether to create the room if it does not exist.
    func join(_ room: ChatAddress, as nickname: String, password: String, creates: Bool)
        async throws(RoomError)
    /// Returns the public rooms of the account’s server, in no particular order.
    func publicRooms() async throws(RoomError) -> [PublicRoom]
    /// Leaves a room, and removes its bookmark.
    ///
    /// The conversation is kept.
    func leave(_ room: ChatAddress)
    /// Returns the people in a room, in no particular order.
    func people(in room: ChatAddress) -> [RoomPerson]
    /// Returns the absent people with a lasting relation to a room, in no particular order.
    ///
    /// It is empty if the room does not show them to the user.
    func absentees(of room: ChatAddress) async throws(RoomError) -> [RoomPerson]
    /// Sets whether all messages of a room cause a notification.
    func setNotifiesAll(_ notifiesAll: Bool, in room: ChatAddress)
    /// Asks the moderators of a room to let the user speak.
    func requestVoice(in room: ChatAddress)
    /// Changes the topic of a room.
    func setTopic(_ topic: String, of room: ChatAddress)
    /// Invites a person to a room.
    func invite(_ person: ChatAddress, to room: ChatAddress, reason: String)
    /// Removes a person from a room, or bans the person from it.
    ///
    /// - Parameter reason: The reason, which the room tells everybody; empty for none.
    func remove(_ person: RoomPerson, from room: ChatAddress, isBanned: Bool, reason: String)
        async throws(RoomError)
    /// Requests the settings of a room.
    func settings(of room: ChatAddress) async throws(RoomError) -> RoomForm
    /// Changes the settings of a room.
    func setSettings(_ settings: RoomForm, of room: ChatAddress) async throws(RoomError)
    /// Requests the form with which the user asks to become a member of a room; the nickname is filled in.
    func registration(in room: ChatAddress, as nickname: String) async throws(RoomError) -> RoomForm
    /// Asks to become a member of a room, which may take a while to accept that.
    func register(_ form: RoomForm, in room: ChatAddress) async throws(RoomError)
    /// Changes what a person may do in a room.
    func change(_ person: RoomPerson, to change: RoomChange, in room: ChatAddress) async throws(RoomError)
    /// Tells the inviter that the user declined, if the invitation allows it.
    func decline(_ invitation: RoomInvitation)
}
