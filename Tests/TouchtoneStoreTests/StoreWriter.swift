// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Starts the program that writes to a store, which a test may kill.
///
/// - Parameter folder: The home folder.
/// - Returns: The process, and its output.
func startWriter(_ arguments: [String], in folder: String) throws -> (Process, FileHandle) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("storewriter")
    process.arguments = arguments
    // The rest of the environment is passed on, because a sanitizer needs its options, and PATH to find the symbolizer.
    process.environment = ProcessInfo.processInfo.environment
        .merging(["XDG_DATA_HOME": "\(folder)/.local/share"]) { $1 }
    process.standardOutput = output
    try process.run()
    return (process, output.fileHandleForReading)
}
