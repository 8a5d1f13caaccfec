// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import XCTest

/// Runs the scripts of `Tests/Driver`.
enum Driver {
    /// The exit status of a scenario that lacks a peer program.
    static let skipped: Int32 = 77
    /// The exit status of a scenario that the kernel cannot run, whatever is installed.
    private static let unavailable: Int32 = 69
    /// The exit status of a scenario that failed while the machine paused, which causes gaps in any sound.
    private static let disturbed: Int32 = 75
    private static let attempts = 5

    /// The result of a script.
    struct Result {
        let status: Int32
        /// Standard output and standard error.
        let output: String
    }

    /// The path of the program, which is built into the folder of the test bundle.
    static let program: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("touchtone")
            .path
    }()

    /// Fails the test unless a script succeeds; skips it if an optional peer program is missing, if the kernel cannot run it, or
    /// if the machine paused in each of a few attempts.
    static func check(_ arguments: [String]) throws {
        var result = try call(arguments)
        for _ in 1..<attempts where result.status == disturbed { result = try call(arguments) }
        if [disturbed, unavailable].contains(result.status)
            || result.status == skipped && !Peer.isRequired
        {
            throw XCTSkip(result.output)
        }
        XCTAssertEqual(result.status, 0, reasonFirst(result.output))
    }

    /// Returns the output of a failed script with its last words, the reason, also at the beginning: summaries of failures show
    /// only that.
    private static func reasonFirst(_ output: String) -> String {
        guard let reason = output.split(whereSeparator: \.isNewline).last else { return output }
        return "\(reason.prefix(400))\n\(output)"
    }

    /// Runs a script to its end.
    static func call(_ arguments: [String]) throws -> Result {
        // The system's Python is required, because others have no GObject introspection.
        let python = "/usr/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            return Result(status: skipped, output: "\(python) is missing: install the package python3-gi")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-B", "\(Checkout.folder)/Tests/Driver/\(arguments[0])"] + arguments.dropFirst()
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: output)
    }
}
