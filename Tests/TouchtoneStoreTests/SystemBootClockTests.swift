// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneStore

@Suite struct SystemBootClockTests {
    @Test func clockAdvancesAndIsSharedByProcesses() {
        let (one, other) = (SystemBootClock().moment, SystemBootClock().moment)
        #expect(one.boot == other.boot)
        #expect(one.boot.count == 36)
        #expect(one.time > .zero && other.time >= one.time)
    }

    @Test(arguments: ["12345.67 20000.00\n": 12_345_670, "0.01 0.00\n": 10] as [String: Int])
    func readsUptimeAndBootIdentifier(_ text: String, _ milliseconds: Int) throws {
        let home = Home()
        try home.write(text, to: "\(home.folder)/uptime")
        try home.write(
            "8d6b1e6e-0000-4000-8000-000000000000\n", to: "\(home.folder)/sys/kernel/random/boot_id")
        let moment = SystemBootClock(folder: home.folder).moment
        #expect(moment.boot == "8d6b1e6e-0000-4000-8000-000000000000")
        #expect(moment.time == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "x", "-5 0\n", "nan 0\n", "1e300 0\n"])
    func clockRunsWithoutKernelData(_ text: String) throws {
        let home = Home()
        try home.write(text, to: "\(home.folder)/uptime")
        let (one, other) = (SystemBootClock(folder: home.folder), SystemBootClock(folder: home.folder))
        #expect(one.moment.time > .zero)
        #expect(one.moment.boot != other.moment.boot, "what can't be compared is not")
    }
}
