// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneBooks
import TouchtoneCore

/// Measures writing and reading 10,000 contacts, one in ten with a picture of 20 KiB.
@MainActor
final class Measuring {
    private let vCards: VCardCoder
    private let clock = ContinuousClock()

    init(_ vCards: VCardCoder) { self.vCards = vCards }

    func run() async {
        let contacts = (0..<10_000).map(Self.contact)
        let before = Memory.maximum
        for version in VCardVersion.allCases {
            let start = clock.now
            let file = await vCards.write(contacts, version: version)
            let written = clock.now
            let read = try? await vCards.read(file)
            let time = clock.now - written
            print("version \(version.rawValue): \(file.count / 1024) KiB; ", terminator: "")
            print("written in \((written - start).formatted), read in \(time.formatted)", terminator: "")
            print(read?.contacts == contacts ? "" : ", and it is not the same")
        }
        print("memory: \((Memory.maximum - before) / 1024) MiB more at most")
        exit(0)
    }

    private static func contact(_ index: Int) -> NewContact {
        let ways = [
            ContactMethod(.number, "+1 555 \(1_000_000 + index)", label: .mobile),
            ContactMethod(.number, "(555) 867-\(1000 + index % 9000)", label: .home),
            ContactMethod(.xmpp, "person\(index)@example.org"),
        ]
        let card = ContactCard(
            name: "Person \(index) Smith", organization: "Company \(index % 100)", methods: ways,
            note: "Met in \(1950 + index % 70),\nat a fair; wrote since.",
            rest: "ADR;TYPE=HOME:;;\(index) Main Street;Any Town;CA;91921;U.S.A.\nUID:urn:uuid:\(index)")
        var random = SystemRandomNumberGenerator()
        let photo: [UInt8]? =
            index % 10 == 0 ? [0xFF, 0xD8, 0xFF] + (0..<20_480).map { _ in random.next() } : nil
        return NewContact(card, photo: photo)
    }
}
