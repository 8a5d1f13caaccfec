// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore
import XCTest

@testable import TouchtoneUI

final class NicknameColorTests: XCTestCase {
    /// The test vectors of XEP-0392.
    func testAnglesAreThoseOfTheStandard() {
        for (name, angle, number) in [
            ("Romeo", 327.255249, 11), ("juliet@capulet.lit", 209.410400, 7), ("😺", 331.199341, 11),
            ("council", 359.994507, 0), ("Board", 171.430664, 6),
        ] {
            XCTAssertEqual(NicknameColor.angle(of: name), angle, accuracy: 0.000001, name)
            XCTAssertEqual(NicknameColor(of: name).number, number, name)
        }
    }

    func testAddressCountsBeforeNickname() {
        let known = RoomOccupant(nickname: "Romeo", address: ChatAddress("juliet@capulet.lit"))
        XCTAssertEqual(NicknameColor(of: .occupant(known)), NicknameColor(of: "juliet@capulet.lit"))
        XCTAssertEqual(NicknameColor(of: .occupant(RoomOccupant(nickname: "Romeo")))?.number, 11)
        XCTAssertNil(NicknameColor(of: .buddy))
        XCTAssertNil(NicknameColor(of: .me))
    }
}
