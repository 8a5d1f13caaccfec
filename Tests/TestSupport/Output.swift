// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Runs a program found in `PATH` to its end, and returns its standard output.
///
/// - Parameter environment: The variables to add to the test process's environment.
/// - Throws: `ProgramFailure` if its exit status is not 0.
public func output(of command: [String], environment: [String: String] = [:]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ProgramFailure(command: command, status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
}

/// A program that ended with an exit status other than 0.
public struct ProgramFailure: Error {
    let command: [String]
    let status: Int32
}
