// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

/// Tests of which changes of a person a room's rights allow.
@Suite struct RoomChangeTests {
    private let moderator: RoomRights = [.speak, .kick]
    private let admin: RoomRights = [.speak, .kick, .ban]
    private let owner: RoomRights = [.speak, .kick, .ban, .own]

    private func person(
        _ role: RoomPerson.Role, _ affiliation: RoomPerson.Affiliation = .none, isHidden: Bool = false,
        isMe: Bool = false
    ) -> RoomPerson {
        RoomPerson(
            nickname: "alan", role: role, affiliation: affiliation,
            address: isHidden ? nil : ChatAddress("alan@example.org"), availability: .online, isMe: isMe)
    }

    @Test func moderatorsGrantAndRevokeVoiceOnly() {
        #expect(moderator.changes(of: person(.visitor)) == [.role(.participant)])
        #expect(moderator.changes(of: person(.participant, .member)) == [.role(.visitor)])
        #expect(moderator.changes(of: person(.moderator)) == [])
    }

    @Test func administratorsChooseMembersAndModerators() {
        #expect(
            admin.changes(of: person(.participant)) == [
                .role(.visitor), .role(.moderator), .affiliation(.member),
            ])
        #expect(
            admin.changes(of: person(.moderator, .member)) == [.role(.participant), .affiliation(.none)])
    }

    @Test func ownersChooseEverybody() {
        #expect(
            owner.changes(of: person(.participant, .member)) == [
                .role(.visitor), .role(.moderator), .affiliation(.none), .affiliation(.admin),
                .affiliation(.owner),
            ])
        #expect(
            owner.changes(of: person(.moderator, .admin)) == [.affiliation(.member), .affiliation(.owner)])
        #expect(owner.changes(of: person(.moderator, .owner)) == [.affiliation(.admin)])
    }

    @Test func nobodyChangesSuperiorsOrThemselves() {
        for affiliation in [RoomPerson.Affiliation.admin, .owner] {
            let superior = person(.moderator, affiliation)
            for rights in [[], .speak, moderator, admin] as [RoomRights] {
                #expect(rights.changes(of: superior) == [])
                #expect(!rights.prevail(over: superior))
            }
            #expect(owner.prevail(over: superior))
        }
        #expect(owner.changes(of: person(.moderator, .owner, isMe: true)) == [])
        #expect(!owner.prevail(over: person(.moderator, .owner, isMe: true)))
        #expect(RoomRights.speak.changes(of: person(.visitor)) == [])
    }

    @Test func absentPeopleHaveNoRolesToChange() {
        let address = ChatAddress("alan@example.org")
        let absent = { RoomPerson(absent: address, $0) }
        #expect(admin.changes(of: absent(.member)) == [.affiliation(.none)])
        #expect(
            owner.changes(of: absent(.member)) == [
                .affiliation(.none), .affiliation(.admin), .affiliation(.owner),
            ])
        #expect(admin.changes(of: absent(.admin)) == [])
        #expect(owner.changes(of: absent(.outcast)) == [.affiliation(.none)])
        #expect(moderator.changes(of: absent(.outcast)) == [])
        #expect(RoomRights.speak.changes(of: absent(.member)) == [])
    }

    @Test func onlyKnownInferiorsAreBanned() {
        #expect(admin.mayBan(person(.visitor)))
        #expect(admin.mayBan(RoomPerson(absent: ChatAddress("alan@example.org"), .member)))
        #expect(!admin.mayBan(RoomPerson(absent: ChatAddress("alan@example.org"), .outcast)))
        #expect(!admin.mayBan(person(.moderator, .owner)))
        #expect(!admin.mayBan(person(.visitor, isHidden: true)))
        #expect(!moderator.mayBan(person(.visitor)))
    }

    @Test func hiddenAddressesHaveNoAffiliationsToChange() {
        #expect(owner.changes(of: person(.visitor, isHidden: true)) == [.role(.participant)])
    }
}
