// SPDX-License-Identifier: GPL-3.0-or-later

/// A detector of pauses of the whole machine, such as a virtual machine whose host is overloaded.
///
/// Sound has gaps then with any player, so a recording of that time proves nothing about the phone.
public final class StallWatch {
    /// The shortest delay that can drain a buffer of 20 ms, in milliseconds.
    public static let harmful = 8.0

    private let program: Child
    private var processors = 0

    /// Starts watching.
    public init() throws {
        program = try Child(["/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/stalls.py"])
        // The number of processors, then one line from each processor's watch, in any order.
        var lines = 0
        while processors == 0 || lines < processors {
            guard let line = program.readLine() else { break }
            if let count = Int(line) { processors = count } else { lines += 1 }
        }
    }

    /// Ends watching, and returns the greatest delay, in milliseconds.
    public func end() -> Double {
        program.end()
        var greatest = 0.0
        while let line = program.readLine() { greatest = max(greatest, Double(line) ?? 0) }
        return greatest
    }
}
