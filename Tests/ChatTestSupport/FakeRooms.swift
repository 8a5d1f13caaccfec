// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Rooms that record every request, and whose answers the test sets.
@MainActor
public final class FakeRooms: RoomService {
    /// A recorded request.
    public enum Call: Hashable, Sendable {
        case join(ChatAddress, String, password: String, creation: RoomCreation?)
        case leave(ChatAddress)
        case notifications(NotificationLevel, ChatAddress)
        case pinned(Bool, ChatAddress)
        case requestVoice(ChatAddress)
        case register(RoomForm, ChatAddress)
        case settings(RoomForm, ChatAddress)
        case change(String, RoomChange, ChatAddress)
        case topic(String, ChatAddress)
        case invite(ChatAddress, ChatAddress, String)
        case remove(String, ChatAddress, isBanned: Bool, reason: String)
        case moderate(String, ChatAddress, String)
        case decline(RoomInvitation)
    }

    /// The recorded requests, in order.
    public private(set) var calls: [Call] = []
    /// The rooms that exist; nil stands for all.
    public var existing: Set<ChatAddress>?
    /// The error that entering fails with, or nil.
    public var error: RoomError?
    /// The public rooms.
    public var listed: [PublicRoom] = []
    /// The form to ask for membership; nil if the rooms take no requests.
    public var registration: RoomForm?
    /// The settings of each room.
    public var settings: [ChatAddress: RoomForm] = [:]
    /// The people in each room.
    public var people: [ChatAddress: [RoomPerson]] = [:]
    /// The absent people of each room.
    public var absentees: [ChatAddress: [RoomPerson]] = [:]

    /// Creates rooms without recorded requests.
    public init() {}

    /// Records the request.
    public func join(_ room: ChatAddress, as nickname: String, password: String, creation: RoomCreation?)
        async throws(RoomError)
    {
        calls.append(.join(room, nickname, password: password, creation: creation))
        if let error { throw error }
        if existing?.contains(room) == false, creation == nil { throw .missing }
    }
    /// Returns what the test has set.
    public func publicRooms() async throws(RoomError) -> [PublicRoom] {
        if let error { throw error }
        return listed
    }
    /// Records the request.
    public func leave(_ room: ChatAddress) { calls.append(.leave(room)) }
    /// Returns what the test has set.
    public func people(in room: ChatAddress) -> [RoomPerson] { people[room] ?? [] }
    /// Returns what the test has set.
    public func absentees(of room: ChatAddress) async throws(RoomError) -> [RoomPerson] {
        if let error { throw error }
        return absentees[room] ?? []
    }
    /// Records the request.
    public func setNotifications(_ level: NotificationLevel, in room: ChatAddress) {
        calls.append(.notifications(level, room))
    }
    /// Records the request.
    public func setPinned(_ isPinned: Bool, _ room: ChatAddress) { calls.append(.pinned(isPinned, room)) }
    /// Returns what the test has set.
    public func registration(in room: ChatAddress, as nickname: String) async throws(RoomError) -> RoomForm {
        guard let registration else { throw .refused("This room takes no requests.") }
        return registration
    }
    /// Records the request.
    public func register(_ form: RoomForm, in room: ChatAddress) async throws(RoomError) {
        calls.append(.register(form, room))
    }
    /// Returns what the test has set.
    public func settings(of room: ChatAddress) async throws(RoomError) -> RoomForm {
        if let error { throw error }
        guard let form = settings[room] else { throw .missing }
        return form
    }
    /// Records the request.
    public func setSettings(_ settings: RoomForm, of room: ChatAddress) async throws(RoomError) {
        calls.append(.settings(settings, room))
        if let error { throw error }
    }
    /// Records the request.
    public func change(
        _ person: RoomPerson, to change: RoomChange, in room: ChatAddress
    ) async throws(RoomError) {
        calls.append(.change(person.nickname, change, room))
        if let error { throw error }
    }
    /// Records the request.
    public func requestVoice(in room: ChatAddress) { calls.append(.requestVoice(room)) }
    /// Records the request.
    public func setTopic(_ topic: String, of room: ChatAddress) { calls.append(.topic(topic, room)) }
    /// Records the request.
    public func invite(_ person: ChatAddress, to room: ChatAddress, reason: String) {
        calls.append(.invite(person, room, reason))
    }
    /// Records the request.
    public func remove(_ person: RoomPerson, from room: ChatAddress, isBanned: Bool, reason: String)
        async throws(RoomError)
    {
        calls.append(.remove(person.nickname, room, isBanned: isBanned, reason: reason))
        if let error { throw error }
    }
    /// Records the request.
    public func moderate(_ archiveName: String, in room: ChatAddress, reason: String) async throws(RoomError)
    {
        calls.append(.moderate(archiveName, room, reason))
        if let error { throw error }
    }
    /// Records the request.
    public func decline(_ invitation: RoomInvitation) { calls.append(.decline(invitation)) }
}
