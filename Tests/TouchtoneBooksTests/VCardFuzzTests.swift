// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import XCTest

/// Runs the vCard parser under libFuzzer for seconds, with the same inputs each time.
///
/// `Tests/Fuzz/build.sh` explains how to run it for longer.
final class VCardFuzzTests: XCTestCase {
    func testAnyFileDoesNoHarm() throws {
        try XCTSkipIf(TestLength.areSourcesTested, "another system has run it")
        XCTAssertNil(
            try Fuzzer.run(
                "vcards", corpus: "vcards", seconds: 15, options: ["-max_len=4096", "-runs=1500", "-seed=1"]))
    }
}
