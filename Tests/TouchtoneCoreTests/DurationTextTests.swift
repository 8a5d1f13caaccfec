// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite struct DurationTextTests {
    @Test(arguments: [
        (0, "0:00"), (42, "0:42"), (599, "9:59"), (600, "10:00"), (3599, "59:59"), (3600, "1:00:00"),
        (3723, "1:02:03"), (360_000, "100:00:00"),
    ])
    func durationIsShownAsOnClock(seconds: Int, text: String) {
        #expect(DurationText.text(seconds: seconds) == text)
    }
}
