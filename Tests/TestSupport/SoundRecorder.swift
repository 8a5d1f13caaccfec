// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A recording of what a `SoundServer` plays.
///
/// Its samples are also the tests' clock: they come whether or not something sounds.
public final class SoundRecorder: @unchecked Sendable {  // all that changes is behind `arrived`
    /// The rate of the recording, in hertz.
    public let rate: Int
    private let program: Child
    private let arrived = NSCondition()
    private var recorded: [Int16] = []
    /// The frame of the last sample that is no silence; -1 before the first.
    ///
    /// It is kept as samples come: to look through the recording at each of them would keep a processor busy.
    private var lastSound = -1
    private var isOver = false

    /// Starts to record, and returns when the first samples are there.
    init(environment: [String: String], rate: Int) throws {
        self.rate = rate
        program = try Child(
            RealTime.prefix + [
                "parec", "--raw", "--rate=\(rate)", "--format=s16le", "--channels=1", "--latency-msec=2",
                "-d", "phone.monitor",
            ], environment: environment)
        Thread.detachNewThread { self.read() }
        wait { !$0.isEmpty }
    }

    /// What was recorded up to now.
    public var samples: [Int16] { arrived.withLock { recorded } }

    /// Waits until the recording so far is as wanted; false if it is not within `limit` seconds, or ends.
    @discardableResult
    public func wait(limit: Double = 60, until isWanted: ([Int16]) -> Bool) -> Bool {
        waitForMore(limit) { isWanted(recorded) }
    }

    /// Lets that much time of the recording pass, in seconds.
    public func pass(_ seconds: Double) {
        let count = arrived.withLock { recorded.count } + Int(seconds * Double(rate))
        wait(limit: seconds + 10) { $0.count >= count }
    }

    /// Waits until something sounds after the given frame.
    @discardableResult
    public func waitForSound(after frame: Int = 0, limit: Double = 60) -> Bool {
        waitForMore(limit) { lastSound >= frame }
    }

    /// Waits until it has been silent for that long, in seconds.
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

    /// Asks again after each piece of the recording.
    private func waitForMore(_ limit: Double, until isEnough: () -> Bool) -> Bool {
        arrived.lock()
        defer { arrived.unlock() }
        let end = Date(timeIntervalSinceNow: limit)
        while !isEnough() {
            guard !isOver, arrived.wait(until: end) else { return isEnough() }
        }
        return true
    }

    private func read() {
        var rest = Data()
        while true {
            let data = program.output.availableData
            arrived.lock()
            defer { arrived.unlock() }
            arrived.broadcast()
            guard !data.isEmpty else {
                isOver = true
                return
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
        }
    }
}
