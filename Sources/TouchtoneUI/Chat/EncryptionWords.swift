// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The encryption of a conversation in words, and what the user can choose.
@MainActor
struct EncryptionWords: Hashable {
    let look: EncryptionMark.Look
    /// “Encrypted” or “Not encrypted”, with the reason.
    let sentence: String
    let isOn: Bool
    /// Whether the encryption can be switched.
    let canChange: Bool
    /// Whether there are devices to show.
    let hasDevices: Bool

    /// Describes a conversation; nil if it is unknown.
    init?(_ id: ConversationID, in messenger: Messenger) {
        guard let chat = messenger.chat(of: id) else { return nil }
        let row = messenger.buddies.row(of: id)
        let name = PlainText.line(messenger.buddies.name(of: id), maximum: 60)
        let support = chat.encryption(of: id.buddy).support
        let isNumber = row.map { !$0.person.numberText.isEmpty } ?? false
        isOn = chat.isEncrypted(id.buddy)
        let isPossible = chat.canHaveKeys(id.buddy) && !isNumber && !id.buddy.isOccupant
        if case .impossible = support {
            canChange = isOn
            hasDevices = isPossible && support == .impossible(.noKeys)
        } else {
            canChange = isOn || isPossible
            hasDevices = isPossible
        }
        if isOn {
            look = support.isVerified ? .verified : .closed
            sentence = Self.encrypted(support)
        } else {
            look = .open
            sentence =
                if id.buddy == .operatorAddress {
                    localized("Not encrypted. The Operator is a part of this phone, so nothing leaves it.")
                } else if isNumber || support == .impossible(.gateway) {
                    localized("Not encrypted. What goes to a telephone number is read on its way there.")
                } else {
                    Self.plain(
                        id.buddy.isOccupant ? .impossible(.openRoom) : support,
                        chat.encryptionChoice(of: id.buddy), name: name, isRoom: row?.room != nil)
                }
        }
    }

    private static func encrypted(_ support: EncryptionSupport) -> String {
        guard case .possible(let keys) = support else {
            return localized("Encrypted. Nothing is sent that is not.")
        }
        if keys.isVerified { return localized("Encrypted. You have compared the keys of all devices.") }
        if keys.counts[.verified, default: 0] > 0 {
            return localized("Encrypted. You have compared the keys of some devices.")
        }
        return localized("Encrypted. You have not compared any keys yet.")
    }

    private static func plain(
        _ support: EncryptionSupport, _ choice: EncryptionChoice, name: String, isRoom: Bool
    ) -> String {
        switch support {
        case .unknown: localized("Not encrypted. It is not known yet whether it can be.")
        case .possible:
            choice == .off
                ? localized("Not encrypted, because you have turned encryption off here.")
                : localized("Not encrypted yet, but it can be.")
        case .impossible(.noKeys):
            isRoom
                ? localized("Not encrypted, because not every member has an app that encrypts.")
                : localized("Not encrypted, because {name} has no app that encrypts.", ["name": name])
        case .impossible(.openRoom):
            localized("Not encrypted, because anybody may enter the room, or it hides who is there.")
        case .impossible(.gateway):
            localized("Not encrypted. What goes to a telephone number is read on its way there.")
        case .impossible(.server): localized("Not encrypted, because your server keeps no keys.")
        }
    }
}

extension EncryptionSupport {
    /// Whether all keys in use are verified.
    var isVerified: Bool { if case .possible(let keys) = self { keys.isVerified } else { false } }
}

extension EncryptionObstacle {
    /// Returns the reason why messages wait, for the user.
    ///
    /// - Parameter name: Returns the name of an account.
    @MainActor
    func text(_ name: (ChatAddress) -> String) -> String {
        switch self {
        case .noDevices(let account):
            localized(
                "Your messages wait: {name} has no app that encrypts any more.", ["name": name(account)])
        case .unreachable(let account):
            localized(
                "Your messages wait: the keys of {name} can’t be fetched now.", ["name": name(account)])
        case .noneTrusted(let account):
            localized(
                "Your messages wait: you trust none of the devices of {name}.", ["name": name(account)])
        case .undecided(let devices): Self.undecided(devices, name)
        case .openRoom:
            localized("Your messages wait: anybody may enter the room now, or it hides who is there.")
        case .unknownMembers:
            localized("Your messages wait: it is not known now who is a member of the room.")
        }
    }

    @MainActor
    private static func undecided(_ devices: [DeviceKey], _ name: (ChatAddress) -> String) -> String {
        let accounts = Set(devices.map(\.address.account)).sorted()
        let names = localizedList(accounts.prefix(5).map(name))
        guard devices.count == 1, let device = devices.first else {
            return localized(
                "Your messages wait: there are new devices of {name}. Decide whether you trust them.",
                ["name": names])
        }
        return localized(
            "Your messages wait: {device} of {name} is new. Decide whether you trust it.",
            ["device": device.name, "name": names])
    }

    /// Whether the message can be sent to other devices, without those in the way.
    func canLeaveOut(isRoom: Bool) -> Bool {
        switch self {
        case .noDevices, .unreachable, .noneTrusted: isRoom
        case .undecided: true
        case .openRoom, .unknownMembers: false
        }
    }

    /// Whether the user decides on devices.
    var asksForDecision: Bool {
        switch self {
        case .undecided, .noneTrusted: true
        case .noDevices, .unreachable, .openRoom, .unknownMembers: false
        }
    }
}

extension DeviceKey {
    /// The name that the user gave the device, or its number.
    var name: String {
        label.isEmpty
            ? localized("device {number}", ["number": String(address.device)])
            : PlainText.line(label, maximum: 60)
    }
}
