// SPDX-License-Identifier: GPL-3.0-or-later

/// Sees when the machine itself stood still: a virtual machine whose host had no time for it.
///
/// Sound has gaps then, whoever plays it, so a recording of that time says nothing of the phone.
public final class StallWatch {
    /// The delay that a buffer of 20 ms may not survive, in milliseconds.
    private static let harmful = 8.0
    private static let attempts = 6

    private let program: Child
    private var processors = 0

    /// Watches from now on.
    init() throws {
        program = try Child(["/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/stalls.py"])
        // The number of processors, and a word from the watch of each, in any order.
        var lines = 0
        while processors == 0 || lines < processors {
            guard let line = program.readLine() else { break }
            if let count = Int(line) { processors = count } else { lines += 1 }
        }
    }

    /// The greatest delay since the beginning, in milliseconds.
    func end() -> Double {
        program.end()
        var greatest = 0.0
        while let line = program.readLine() { greatest = max(greatest, Double(line) ?? 0) }
        return greatest
    }

    /// What `body` finds while the machine does not stand still: it is run again where it did, a few times.
    public static func undisturbed<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 1..<attempts {
            let watch = try StallWatch()
            let result = Swift.Result { try body() }
            if watch.end() < harmful { return try result.get() }
        }
        return try body()
    }
}
