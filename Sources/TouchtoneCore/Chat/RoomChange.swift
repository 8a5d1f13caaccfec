// SPDX-License-Identifier: GPL-3.0-or-later

/// A change of what a person may do in a room (XEP-0045 section 5).
public enum RoomChange: Hashable, Sendable {
    case role(RoomPerson.Role)
    /// A new lasting relation to the room.
    case affiliation(RoomPerson.Affiliation)
}

extension RoomRights {
    /// Returns whether the user may change or remove a person: administrators and owners only give way to owners.
    public func prevail(over person: RoomPerson) -> Bool {
        guard !person.isMe else { return false }
        return switch person.affiliation {
        case .owner, .admin: contains(.own)
        case .member, .none: contains(.kick)
        case .outcast: contains(.ban)
        }
    }

    public func mayBan(_ person: RoomPerson) -> Bool {
        contains(.ban) && prevail(over: person) && person.address != nil && person.affiliation != .outcast
    }

    /// Returns the permitted changes in the order of a menu (XEP-0045 sections 5.1 and 5.2); an
    /// affiliation needs an address.
    public func changes(of person: RoomPerson) -> [RoomChange] {
        guard prevail(over: person) else { return [] }
        let isAppointed = person.affiliation == .owner || person.affiliation == .admin
        var changes: [RoomChange] = []
        // Appointed people stay moderators.
        switch person.role {
        case .visitor: changes.append(.role(.participant))
        case .participant:
            changes += contains(.ban) ? [.role(.visitor), .role(.moderator)] : [.role(.visitor)]
        case .moderator: if contains(.ban), !isAppointed { changes.append(.role(.participant)) }
        case nil: break
        }
        guard contains(.ban), person.address != nil else { return changes }
        switch person.affiliation {
        case .none: changes.append(.affiliation(.member))
        case .member: changes.append(.affiliation(.none))
        case .admin: changes.append(.affiliation(.member))
        case .owner: changes.append(.affiliation(.admin))
        case .outcast: return [.affiliation(.none)]
        }
        guard contains(.own), person.affiliation != .owner else { return changes }
        if person.affiliation != .admin { changes.append(.affiliation(.admin)) }
        return changes + [.affiliation(.owner)]
    }
}
