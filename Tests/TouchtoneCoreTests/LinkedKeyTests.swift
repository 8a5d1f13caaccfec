// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

/// Tests of links that name the keys of devices.
@Suite struct LinkedKeyTests {
    private static let (one, two) = (String(repeating: "01", count: 32), String(repeating: "fE", count: 32))
    private static let keys = [
        LinkedKey(device: 1, key: Array(repeating: 1, count: 32)),
        LinkedKey(device: 2_147_483_647, key: Array(repeating: 0xfe, count: 32)),
    ]

    @Test(arguments: [";", "&"])
    func keysAreRead(separator: String) throws {
        let link = try XMPPURI(
            "xmpp:grace@example.org?omemo-sid-1=\(Self.one)\(separator)OMEMO-sid-2147483647=\(Self.two)")
        #expect(link.keys == Self.keys)
        #expect(link.action == .open)
        #expect(try XMPPURI(link.text) == XMPPURI("grace@example.org", keys: Self.keys))
    }

    @Test(arguments: [
        "omemo-sid-0=01", "omemo-sid-=\(one)", "omemo-sid-1", "omemo-sid-1=", "omemo-sid--1=\(one)",
        "omemo-sid-+1=\(one)", "omemo-sid-2147483648=\(one)", "omemo-sid-99999999999999999999=\(one)",
        "omemo-sid-1=\(one)01", "omemo-sid-1=\(one.dropLast())g", "omemo-sid-1=\(one.dropLast(2))%C3%A9",
        "message;omemo-sid-1=\(one)", "roster;omemo-sid-1=\(one)", "omemo-sid-\u{661}=\(one)",
    ])
    func othersAreNone(query: String) {
        #expect((try? XMPPURI("xmpp:grace@example.org?\(query)"))?.keys.isEmpty != false)
    }

    @Test func manyAreDropped() throws {
        let query = (1...150).map { "omemo-sid-\($0)=\(Self.one)" }.joined(separator: ";")
        #expect(try XMPPURI("xmpp:grace@example.org?\(query)").keys.count == LinkedKey.maximumCount)
    }

    // MARK: - Comparison

    private static let grace = ChatAddress("grace@example.org")

    private func device(_ number: UInt32, key: UInt8?, isActive: Bool = true) -> DeviceKey {
        DeviceKey(
            DeviceAddress(Self.grace, number), key: key.map { Array(repeating: $0, count: 32) },
            trust: .blind, isActive: isActive, firstSeen: ChatTime(milliseconds: 0))
    }

    private func linked(_ device: UInt32, _ key: UInt8) -> LinkedKey {
        LinkedKey(device: device, key: Array(repeating: key, count: 32))
    }

    @Test func keysAreCompared() {
        let devices = [device(1, key: 1), device(2, key: 2), device(3, key: nil), device(4, key: 4)]
        let comparison = KeyComparison(
            [linked(1, 1), linked(2, 9), linked(3, 3), linked(5, 5)], with: devices)
        #expect(comparison.equal == [devices[0]])
        #expect(comparison.different == [devices[1]])
        #expect(comparison.unknown == 2)
    }

    @Test func twoKeysForOneDeviceDiffer() {
        let known = device(1, key: 1)
        for link in [[linked(1, 1), linked(1, 2)], [linked(1, 2), linked(1, 1)]] {
            let comparison = KeyComparison(link, with: [known])
            #expect(comparison.equal.isEmpty)
            #expect(comparison.different == [known])
        }
    }

    @Test @MainActor func everyServiceOfAChatLearnsWhetherToEncrypt() async throws {
        let fixture = try await ChatFixture()
        for isOn in [false, true] {
            fixture.chat.encryptsNew = isOn
            #expect(fixture.service.keys.isAutomatic == isOn)
            #expect(fixture.chat.encryptsNew == isOn)
        }
    }

    @Test func ownLinkNamesActiveKeys() {
        let other = DeviceKey(
            DeviceAddress(ChatAddress("ada@example.org"), 9), key: [], trust: .blind, isActive: true,
            firstSeen: ChatTime(milliseconds: 0))
        let devices = [device(1, key: 1), device(2, key: 2, isActive: false), device(3, key: nil), other]
        #expect(XMPPURI(Self.grace, verifying: devices).keys == [linked(1, 1)])
        #expect(XMPPURI(Self.grace, verifying: []).text == "xmpp:grace@example.org")
    }
}
