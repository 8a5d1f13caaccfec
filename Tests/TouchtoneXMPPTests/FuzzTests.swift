// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import XCTest

/// Runs the stanza path under libFuzzer for seconds.
///
/// `Tests/Fuzz/build.sh` explains how to run it for longer.
final class FuzzTests: XCTestCase {
    func testServerInputDoesNoHarm() throws {
        try XCTSkipIf(TestLength.areSourcesTested, "another system has run it")
        let corpus = "\(Checkout.folder)/Tests/Fuzz/corpus"
        XCTAssertGreaterThan(try FileManager.default.contentsOfDirectory(atPath: corpus).count, 100)
        XCTAssertNil(try Fuzzer.run("stanzas", corpus: "corpus", seconds: 5, options: ["-max_len=8192"]))
    }
}
