// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A libFuzzer target of `Tests/Fuzz`, run for seconds on the saved inputs and on mutations of them.
public enum Fuzzer {
    /// Builds and runs a fuzzer, and returns its output if it found a fault.
    ///
    /// - Parameters:
    ///   - name: The name of the fuzzer.
    ///   - corpus: The folder of `Tests/Fuzz` with its inputs.
    ///   - environment: The variables to add to the test process's environment.
    public static func run(
        _ name: String, corpus: String, seconds: Int, options: [String], environment: [String: String] = [:]
    ) throws -> String? {
        let folder = "\(Checkout.folder)/.build/fuzz"
        let tests = "\(Checkout.folder)/Tests/Fuzz"
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let products = URL(fileURLWithPath: bundle).deletingLastPathComponent().path
        _ = try output(of: ["bash", "\(tests)/build.sh", folder, name, products])
        let new = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-fuzz-\(UUID())")
        try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: new) }
        let fuzzer = Process()
        let said = Pipe()
        fuzzer.executableURL = URL(fileURLWithPath: "\(folder)/\(name)")
        fuzzer.arguments =
            [
                "-max_total_time=\(seconds)", "-timeout=5", "-rss_limit_mb=1024", "-verbosity=0",
                "-artifact_prefix=\(folder)/", "-dict=\(tests)/\(name).dict",
            ] + options + [new.path, "\(tests)/\(corpus)"]
        fuzzer.environment = ProcessInfo.processInfo.environment
            .merging(environment) { $1 }.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        fuzzer.standardError = said
        fuzzer.standardOutput = FileHandle.nullDevice
        try fuzzer.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        fuzzer.waitUntilExit()
        return fuzzer.terminationStatus == 0 ? nil : text
    }
}
