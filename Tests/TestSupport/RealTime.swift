// SPDX-License-Identifier: GPL-3.0-or-later

/// Priority over ordinary programs, for what stands for hardware in the tests: a sound card is never late.
enum RealTime {
    /// Gives all threads of a process priority, where that is allowed.
    static func raise(_ process: Int32) {
        _ = try? output(of: ["chrt", "-a", "-f", "-p", "5", "\(process)"])
    }

    /// What to put before a command for it to have priority; nothing where that is not allowed.
    static let prefix: [String] = {
        let prefix = ["chrt", "-f", "5"]
        return (try? output(of: prefix + ["true"])) == nil ? [] : prefix
    }()
}
