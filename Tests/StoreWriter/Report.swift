// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Prints the measurements, one per line.
@MainActor
final class Report {
    private let clock = ContinuousClock()

    /// Measures the duration of a closure.
    func measure(_ what: String, _ body: @MainActor () async -> Void) async {
        let time = await clock.measure(body)
        write(what, "\((Double(time / .microseconds(1)) / 1000 * 100).rounded() / 100) ms")
    }

    /// Reports the current memory of the process.
    func memory(_ when: String) { write("memory \(when)", Self.memory) }

    private func write(_ what: String, _ value: String) {
        print(what + String(repeating: " ", count: max(1, 40 - what.count)) + value)
    }

    /// The resident memory of this process, including shared memory.
    private static var memory: String {
        guard let file = fopen("/proc/self/status", "r") else { return "unknown" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("VmRSS:") {
                let kilobytes = text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
                    Int($0)
                }
                return "\((kilobytes ?? 0) / 1024) MiB"
            }
        }
        return "unknown"
    }
}
