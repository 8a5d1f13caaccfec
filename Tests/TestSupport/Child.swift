// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation

/// A program that runs beside the tests and ends with them, also when they crash.
///
/// A shell stands between: it waits on a pipe from the test process, which the kernel closes whatever becomes of that
/// process, and then ends the program.
public final class Child {
    /// What the program writes to its standard output.
    public let output: FileHandle
    private let process = Process()
    private let leash = Pipe()

    /// Starts a program found in `PATH`.
    ///
    /// - Parameter environment: added to the test process's own.
    public init(_ command: [String], environment: [String: String] = [:]) throws {
        let out = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // fd 3 is the leash: a background job has no standard input of its own.
        process.arguments =
            [
                "-c",
                "exec 3<&0; \"$@\" </dev/null 3<&- & it=$!; exec >&-; read -r _ <&3; kill $it 2>&-; wait $it",
                "sh",
            ] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = leash
        process.standardOutput = out
        output = out.fileHandleForReading
        try Self.withoutBlockedSignals { try process.run() }
    }

    /// Threads of libdispatch block all signals, and hand that down to what is started on them: a test that is `async`
    /// would start programs that can't be ended.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    /// The next line of its output; nil when it ends first.
    public func readLine() -> String? {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), byte.count == 1 {
            if byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line += byte
        }
        return nil
    }

    /// Ends the program and waits for it.
    public func end() {
        try? leash.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
