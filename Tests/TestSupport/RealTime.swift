// SPDX-License-Identifier: GPL-3.0-or-later

/// Real-time priority for the processes that stand for hardware in the tests, because a sound card is never late.
enum RealTime {
    /// A priority above ordinary threads.
    private static let level = "5"

    /// Gives priority to all threads of a process, if that is permitted.
    static func raise(_ process: Int32) {
        _ = try? output(of: ["chrt", "-a", "-f", "-p", level, "\(process)"])
    }

    /// The command prefix that gives a command priority; empty if that is not permitted.
    static let prefix: [String] = {
        let prefix = ["chrt", "-f", level]
        return (try? output(of: prefix + ["true"])) == nil ? [] : prefix
    }()
}
