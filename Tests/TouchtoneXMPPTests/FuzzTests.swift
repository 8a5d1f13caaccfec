// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import XCTest

/// The stanza path under libFuzzer, for seconds: the inputs that were kept, and new ones made from them.
///
/// `Tests/Fuzz/build.sh` says how to run it for longer.
final class FuzzTests: XCTestCase {
    func testNoInputOfAServersDoesHarm() throws {
        let folder = "\(Checkout.folder)/.build/fuzz"
        let tests = "\(Checkout.folder)/Tests/Fuzz"
        let corpus = try FileManager.default.contentsOfDirectory(atPath: "\(tests)/corpus")
        XCTAssertGreaterThan(corpus.count, 100)
        _ = try output(of: ["bash", "\(tests)/build.sh", folder])
        let new = try TemporaryFolders.make("touchtone-fuzz")
        let fuzzer = Process()
        let said = Pipe()
        fuzzer.executableURL = URL(fileURLWithPath: "\(folder)/stanzas")
        fuzzer.arguments = [
            "-max_total_time=5", "-max_len=8192", "-timeout=5", "-rss_limit_mb=1024", "-verbosity=0",
            "-artifact_prefix=\(folder)/", "-dict=\(tests)/stanzas.dict", new, "\(tests)/corpus",
        ]
        fuzzer.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
            $1
        }
        fuzzer.standardError = said
        fuzzer.standardOutput = FileHandle.nullDevice
        try fuzzer.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        fuzzer.waitUntilExit()
        XCTAssertEqual(fuzzer.terminationStatus, 0, text)
    }
}
