// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A recording of the sound that a `SoundServer` plays.
///
/// Its samples are also the tests' clock, because they arrive even during silence.
public final class SoundRecorder: @unchecked Sendable {  // `arrived` guards all mutable state.
    /// The sample rate of the recording, in hertz.
    public let rate: Int
    private let program: Child
    private let arrived = NSCondition()
    private var recorded: [Int16] = []
    /// The first byte of a sample whose second has not arrived.
    private var rest = Data()
    /// The frame of the last sample that is not silent; -1 before the first.
    ///
    /// It is updated as samples arrive, because scanning the recording each time would keep a processor busy.
    private var lastSound = -1
    private var isOver = false

    /// Starts recording, and returns when the first samples are available.
    init(environment: [String: String], rate: Int) throws {
        self.rate = rate
        program = try Child(
            RealTime.prefix + [
                "parec", "--raw", "--rate=\(rate)", "--format=s16le", "--channels=1", "--latency-msec=2",
                "-d", "phone.monitor",
            ], environment: environment)
        // The thread does not keep the recorder, so that the recording ends with its last reference.
        Thread.detachNewThread { [weak self, output = program.output] in
            var isOver = false
            while !isOver {
                let data = output.availableData
                isOver = self?.take(data) ?? true
            }
        }
        wait { !$0.isEmpty }
    }

    deinit { program.end() }

    /// The samples recorded so far.
    public var samples: [Int16] { arrived.withLock { recorded } }

    /// Waits until the recording satisfies a condition; false if it does not within `limit` seconds, or ends.
    @discardableResult
    public func wait(limit: Double = 60, until isWanted: ([Int16]) -> Bool) -> Bool {
        waitForMore(limit) { isWanted(recorded) }
    }

    /// Waits for the given duration of the recording, in seconds.
    public func pass(_ seconds: Double) {
        let count = arrived.withLock { recorded.count } + Int(seconds * Double(rate))
        wait(limit: seconds + 10) { $0.count >= count }
    }

    /// Waits until there is sound after the given frame.
    @discardableResult
    public func waitForSound(after frame: Int = 0, limit: Double = 60) -> Bool {
        waitForMore(limit) { lastSound >= frame }
    }

    /// Waits for the given duration of silence, in seconds.
    @discardableResult
    public func waitForSilence(_ seconds: Double, limit: Double = 30) -> Bool {
        let count = Int(seconds * Double(rate))
        return waitForMore(limit) { recorded.count - 1 - lastSound >= count }
    }

    /// Ends the recording.
    public func end() -> [Int16] {
        program.end()
        return samples
    }

    /// Evaluates the condition again after each piece of the recording.
    private func waitForMore(_ limit: Double, until isEnough: () -> Bool) -> Bool {
        arrived.lock()
        defer { arrived.unlock() }
        let end = Date(timeIntervalSinceNow: limit)
        while !isEnough() {
            guard !isOver, arrived.wait(until: end) else { return isEnough() }
        }
        return true
    }

    /// Adds data of the recorder; returns whether it was the last.
    private func take(_ data: Data) -> Bool {
        arrived.lock()
        defer { arrived.unlock() }
        arrived.broadcast()
        guard !data.isEmpty else {
            isOver = true
            return true
        }
        rest += data
        let count = rest.count / 2
        let new = rest.prefix(2 * count).withUnsafeBytes { bytes in
            (0..<count).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
            }
        }
        if let sound = new.lastIndex(where: { abs(Int($0)) > 2 }) { lastSound = recorded.count + sound }
        recorded += new
        rest = Data(rest.dropFirst(2 * count))
        return false
    }
}
