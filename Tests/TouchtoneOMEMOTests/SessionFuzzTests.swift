// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Runs what other devices send under libFuzzer for seconds: bundles, messages, texts and links of files.
///
/// `Tests/Fuzz/build.sh` explains how to run it for longer. `FuzzTests` has the elements around them.
@Suite struct SessionFuzzTests {
    @Test(.disabled(if: TestLength.areSourcesTested, "another system has run it"))
    func otherDevicesDoNoHarm() throws {
        let corpus = "\(Checkout.folder)/Tests/Fuzz/sessions"
        #expect(try FileManager.default.contentsOfDirectory(atPath: corpus).count > 15)
        #expect(try Fuzzer.run("sessions", corpus: "sessions", seconds: 5, options: ["-max_len=1024"]) == nil)
    }
}
