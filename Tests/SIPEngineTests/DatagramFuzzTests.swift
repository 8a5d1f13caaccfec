// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

extension SIPEngineTests {
    /// Runs the checks of what strangers send under libFuzzer for seconds.
    ///
    /// `Tests/Fuzz/build.sh` explains how to run it for longer.
    @Test func datagramsOfStrangersDoNoHarm() throws {
        let fault = try Fuzzer.run("datagrams", corpus: "datagrams", seconds: 5, options: ["-max_len=2048"])
        #expect(fault == nil)
    }
}
