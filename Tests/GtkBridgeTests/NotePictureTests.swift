// SPDX-License-Identifier: GPL-3.0-or-later

import GtkTestSupport
import XCTest

@testable import GtkBridge

/// Tests of the pictures beside notifications.
final class NotePictureTests: GtkTestCase {
    /// The process that decodes a picture may say anything once the picture has broken it.
    func testPictureOfNotificationIsCheckedAgain() {
        func answer(_ width: UInt32, _ height: UInt32, _ channels: UInt32, count: Int) -> [UInt8] {
            [width, height, channels].flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
                + [UInt8](repeating: 7, count: count)
        }
        XCTAssertEqual(NotePicture(decoded: answer(2, 2, 3, count: 12))?.hint.type, "(iiibiiay)")
        XCTAssertEqual(NotePicture(decoded: answer(96, 96, 4, count: 96 * 96 * 4))?.pixels.count, 96 * 96 * 4)
        for broken in [
            [], answer(2, 2, 3, count: 11), answer(2, 2, 3, count: 13), answer(2, 3, 3, count: 18),
            answer(0, 0, 3, count: 0), answer(97, 97, 3, count: 97 * 97 * 3), answer(2, 2, 5, count: 20),
            answer(.max, .max, 4, count: 4), answer(2, 2, 0, count: 0),
        ] {
            XCTAssertNil(NotePicture(decoded: broken))
        }
    }
}
