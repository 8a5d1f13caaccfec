// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation

/// A program that runs beside the tests and ends with them, even if they crash.
///
/// A shell supervises the program: it waits on a pipe from the test process, which the kernel closes when that process
/// ends, and then ends the program.
public final class Child {
    /// The program's standard output.
    public let output: FileHandle
    private let process = Process()
    private let leash = Pipe()

    /// Starts a program found in `PATH`.
    ///
    /// - Parameter environment: The variables to add to the test process's environment.
    public init(_ command: [String], environment: [String: String] = [:]) throws {
        let out = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Descriptor 3 is the pipe, because a background job has no standard input of its own.
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

    /// Runs a closure with all signals unblocked.
    ///
    /// Threads of libdispatch block all signals, and child processes inherit that: an `async` test would start programs
    /// that can't be ended.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    /// Returns the next line of output, or nil if the program ends first.
    public func readLine() -> String? {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), byte.count == 1 {
            if byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line += byte
        }
        return nil
    }

    /// Waits until the program prints a line.
    ///
    /// - Throws: `EndedEarly` if the program ends first.
    public func waitForLine(where matches: (String) -> Bool) throws {
        var last = ""
        while let line = readLine() {
            if matches(line) { return }
            last = line
        }
        throw EndedEarly(command: process.arguments?.dropFirst(3).joined(separator: " ") ?? "", last: last)
    }

    /// Ends the program and waits for it.
    ///
    /// `waitUntilExit()` of swift-corelibs-foundation has missed an exit and then waited for ever. The process is left to
    /// Foundation, which collects its status.
    public func end() {
        try? leash.fileHandleForWriting.close()
        var info = siginfo_t()
        while waitid(P_PID, id_t(process.processIdentifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }
}

/// A program that ended before it was ready.
public struct EndedEarly: Error {
    let command: String
    /// The last line of its output.
    let last: String
}
