// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import RecordedSound
import Synchronization

/// The gain of the microphone, which can change while it records.
final class MicrophoneGain: Sendable {
    /// The gains that can be chosen, in decibels.
    static let range = -20.0...20.0

    private let amplitude = Atomic(Float(1).bitPattern)

    /// The factor of the samples.
    var factor: Float { Float(bitPattern: amplitude.load(ordering: .relaxed)) }

    func set(_ decibels: Double) {
        let decibels = min(max(decibels, Self.range.lowerBound), Self.range.upperBound)
        amplitude.store(Float(pow(10, decibels / 20)).bitPattern, ordering: .relaxed)
    }
}

/// A microphone, which a thread records until it is stopped or lost.
final class Microphone: Sendable {
    /// The timeout without samples, in seconds: a server that dies does not always wake the poll.
    private static let stall = 2.0

    private let rate: Int
    private let shape: BufferConfiguration
    private let wake = WakeEvent()
    private let isOver = Atomic(false)
    private let isMuted = Atomic(false)
    private let gain: MicrophoneGain
    private let meter = Mutex<(meter: LevelMeter, heard: @Sendable (Double) -> Void)?>(nil)

    /// `rate` is in hertz (ALSA resamples if need be), `shape` for an ordinary thread that may run late.
    init(rate: Int, shape: BufferConfiguration, gain: MicrophoneGain) {
        (self.rate, self.shape, self.gain) = (rate, shape, gain)
    }

    deinit { wake.close() }

    var isStopped: Bool { isOver.load(ordering: .acquiring) }

    /// Replaces the samples by silence, or restores them.
    func setMuted(_ isMuted: Bool) { self.isMuted.store(isMuted, ordering: .relaxed) }

    /// Calls a function on the microphone's thread with the level of each tenth of a second, in dBFS; nil ends that.
    func watch(_ heard: (@Sendable (Double) -> Void)?) {
        meter.withLock { $0 = heard.map { (LevelMeter(), $0) } }
    }

    /// Ends the recording; returns whether it was not stopped before.
    @discardableResult
    func stop() -> Bool {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        wake.signal()
        return true
    }

    /// Opens the first of the ALSA `devices` that can be opened, on a new thread, until it is stopped.
    ///
    /// The thread calls `take` with samples, and `ended` once, with whether there is no microphone any more.
    func start(
        _ devices: [String], take: @escaping @Sendable (UnsafeBufferPointer<Int16>) -> Void,
        ended: @escaping @Sendable (_ isLost: Bool) -> Void
    ) {
        let isRunning = BackgroundThread.start("touchtone-mic") { [self] in
            do throws(ALSAError) {
                try run(devices, take)
                ended(false)
            } catch {
                ended(!isStopped)
            }
        }
        if !isRunning { ended(true) }
    }

    private func run(_ devices: [String], _ take: (UnsafeBufferPointer<Int16>) -> Void) throws(ALSAError) {
        let pcm = try open(devices)
        defer { pcm.close() }
        let poller = Poller()
        let buffer = UnsafeMutableBufferPointer<Int16>.allocate(capacity: max(pcm.bufferFrames, 256))
        defer { buffer.deallocate() }
        let begin = Instant.now
        var lastNews = begin
        var count = 0
        try pcm.start()
        while !isStopped {
            let heard = try hear(pcm, buffer, take)
            if heard > 0 { lastNews = .now }
            count += heard
            guard lastNews.age < Self.stall else { throw ALSAError(code: ENODEV) }
            // ALSA's `null` device always has more silence to read.
            let isAhead = count > Int(begin.age * Double(rate)) + 2 * pcm.bufferFrames
            let period = Double(pcm.periodFrames) / Double(rate)
            let found = poller.wait(
                wake: wake, watch: nil, device: isAhead ? nil : pcm, timeout: isAhead ? period : Self.stall)
            // The next read reports an overrun. Other errors mean that the device is lost.
            if found.deviceHasFailed, try hear(pcm, buffer, take) == 0 { throw ALSAError(code: ENODEV) }
        }
    }

    private func open(_ devices: [String]) throws(ALSAError) -> PCM {
        var error = ALSAError(code: ENODEV)
        for device in devices {
            do throws(ALSAError) {
                return try PCM(device: device, rate: UInt32(rate), shape: shape, direction: .capture)
            } catch let refused {
                error = refused
            }
        }
        // The next caller that opens a device must see the current configuration.
        PCM.forgetConfiguration()
        throw error
    }

    /// Reads the available samples, and returns their number; restarts after an overrun.
    private func hear(
        _ pcm: PCM, _ buffer: UnsafeMutableBufferPointer<Int16>,
        _ take: (UnsafeBufferPointer<Int16>) -> Void
    ) throws(ALSAError) -> Int {
        do {
            let count = try pcm.read(into: buffer)
            let samples = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            if isMuted.load(ordering: .relaxed) { samples.update(repeating: 0) }
            amplify(samples)
            take(UnsafeBufferPointer(samples))
            measure(UnsafeBufferPointer(samples))
            return count
        } catch  where error.code == EPIPE {
            try pcm.rearm()
            try pcm.start()
            return 1
        }
    }

    private func amplify(_ samples: UnsafeMutableBufferPointer<Int16>) {
        let factor = gain.factor
        guard factor != 1 else { return }
        for index in samples.indices {
            let sample = Float(samples[index]) * factor
            samples[index] = Int16(min(max(sample, Float(Int16.min)), Float(Int16.max)))
        }
    }

    private func measure(_ samples: UnsafeBufferPointer<Int16>) {
        let news = meter.withLock { state -> (level: Double, heard: @Sendable (Double) -> Void)? in
            guard let level = state?.meter.level(of: samples, rate: rate), let heard = state?.heard else {
                return nil
            }
            return (level, heard)
        }
        if let news { news.heard(news.level) }
    }
}
