// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// The result of a shell script of the checkout.
struct Script {
    /// The exit status.
    let status: Int32
    /// The output, from standard output and standard error.
    let said: String

    /// Runs the script with bash.
    ///
    /// - Parameter environment: The variables to add to the test process's environment.
    init(_ path: String, _ arguments: [String] = [], environment: [String: String]) throws {
        try self.init(
            path: Repository.root.appendingPathComponent(path).path, arguments, environment: environment)
    }

    /// Runs a script anywhere with bash.
    init(path: String, _ arguments: [String], environment: [String: String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// Runs `body` with a folder of commands that are shell scripts, and removes it afterwards.
    static func withCommands<Result>(
        _ commands: [String: String], _ body: (_ folder: String) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, script) in commands {
            let file = folder.appendingPathComponent(name).path
            try "#!/bin/sh\n\(script)\n".write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        return try body(folder.path)
    }

    /// Runs `body` with a folder that has only the scripts that run tests, so that its logs are not those of this checkout.
    static func withCheckout<Result>(_ body: (_ folder: String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for path in [
            ".ci/run", "Tests/bare.sh", "Tests/run.sh", "data/packaging/install-deps.sh",
            "data/packaging/packages.txt",
        ] {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Repository.root.appendingPathComponent(path), to: file)
        }
        return try body(folder.path)
    }
}
