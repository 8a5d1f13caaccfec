// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Testing
import TouchtoneCore

@testable import TouchtoneNumbers

/// Tests of emergency numbers, with libphonenumber; nothing is dialled.
@Suite struct EmergencyNumberTests {
    private let library = PhoneNumberLibrary(folders: [InstalledProgram.folder ?? ""])

    @Test(arguments: [
        ("US", "911", true), ("DE", "110", true), ("DE", "112", true), ("GB", "999", true),
        ("GB", "112", true), ("FR", "15", true), ("FR", "17", true), ("FR", "18", true), ("AU", "000", true),
        ("JP", "110", true), ("JP", "119", true), ("ES", "112", true), ("ZA", "10111", true),
        ("CH", "144", true), ("IN", "100", true), ("BR", "190", true),
        ("US", "411", false), ("US", "110", false), ("US", "9111", false), ("US", "91", false),
        ("US", "5558675309", false), ("DE", "115", false), ("DE", "1120", false), ("GB", "101", false),
        ("QQ", "112", false), ("us", "911", false), ("", "911", false), ("US", "", false), ("US", "+", false),
        ("US", "9-1-1", false), ("US", "９１１", false),
    ])
    func knowsNumbersOfRegion(_ region: String, number: String, isEmergency: Bool) {
        #expect(library.isEmergency(number, region: region) == isEmergency)
        #expect(library.failure == nil)
    }

    @Test func noneIsKnownWithoutLibrary() {
        #expect(!PhoneNumberLibrary(folders: ["/nonexistent"]).isEmergency("110", region: "DE"))
    }

    /// Every emergency number of a region has one of the lengths for which the library is asked.
    @Test func lengthsAreComplete() async {
        let lengths = await EmergencyNumbers.lengths
        #expect(lengths == 2...6)
        for region in library.regions(language: "en").map(\.code) {
            for digit in 0...9 { #expect(!library.isEmergency("\(digit)", region: region), "\(region)") }
        }
    }
}
