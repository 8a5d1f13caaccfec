// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import Synchronization
import TouchtoneCore

/// The capture side of an echo: a thread that records the microphone into a ring buffer.
///
/// It exists as long as its thread or the audio thread uses the buffer.
final class EchoCapture: Echo {
    /// The buffer for the samples.
    // One thread writes and another reads, which the buffer allows.
    nonisolated(unsafe) let line: EchoRingBuffer
    /// The identifier of the echo's voice.
    let number: UInt64

    /// Long enough for an ordinary thread that runs late.
    ///
    /// It adds no delay.
    private static let shape = BufferConfiguration(period: 10_000, periods: 8, reserve: 0)
    /// The timeout without samples, in seconds: a server that dies does not always wake the poll.
    private static let stall = 2.0

    private let rate: Int
    private let wake = WakeEvent()
    private let isOver = Atomic(false)
    private let isMuted = Atomic(false)
    private let failed: @Sendable () -> Void
    private let stopped: @Sendable (UInt64) -> Void

    /// - Parameters:
    ///   - capacity: The capacity of the buffer in samples.
    ///   - failed: Called once if there is no microphone.
    ///   - stopped: Called when the echo stops.
    init(
        number: UInt64, rate: Int, capacity: Int, failed: @escaping @Sendable () -> Void,
        stopped: @escaping @Sendable (UInt64) -> Void
    ) {
        self.number = number
        self.rate = rate
        line = EchoRingBuffer(capacity: capacity)
        self.failed = failed
        self.stopped = stopped
    }

    deinit {
        line.deallocate()
        wake.close()
    }

    func setMuted(_ isMuted: Bool) { self.isMuted.store(isMuted, ordering: .relaxed) }

    func stop() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        wake.signal()
        stopped(number)
    }

    /// Opens the microphone on a new thread, which ends with the echo.
    ///
    /// - Parameter devices: ALSA device names; the first one that can be opened is used.
    func start(_ devices: [String]) {
        let isRunning = BackgroundThread.start("touchtone-mic") { [self] in
            do throws(ALSAError) { try run(devices) } catch {
                if !isOver.load(ordering: .acquiring) { failed() }
            }
        }
        if !isRunning { failed() }
    }

    private func run(_ devices: [String]) throws(ALSAError) {
        let pcm = try open(devices)
        defer { pcm.close() }
        let poller = Poller()
        let buffer = UnsafeMutableBufferPointer<Int16>.allocate(capacity: max(pcm.bufferFrames, 256))
        defer { buffer.deallocate() }
        let begin = Instant.now
        var lastNews = begin
        var count = 0
        try pcm.start()
        while !isOver.load(ordering: .acquiring) {
            let heard = try hear(pcm, buffer)
            if heard > 0 { lastNews = .now }
            count += heard
            guard lastNews.age < Self.stall else { throw ALSAError(code: ENODEV) }
            // ALSA's `null` device always has more silence to read.
            let isAhead = count > Int(begin.age * Double(rate)) + 2 * pcm.bufferFrames
            let period = Double(pcm.periodFrames) / Double(rate)
            let found = poller.wait(
                wake: wake, watch: nil, device: isAhead ? nil : pcm, timeout: isAhead ? period : Self.stall)
            // The next read reports an overrun. Other errors mean that the device is lost.
            if found.deviceHasFailed, try hear(pcm, buffer) == 0 { throw ALSAError(code: ENODEV) }
        }
    }

    private func open(_ devices: [String]) throws(ALSAError) -> PCM {
        var error = ALSAError(code: ENODEV)
        for device in devices {
            do throws(ALSAError) {
                return try PCM(device: device, rate: UInt32(rate), shape: Self.shape, direction: .capture)
            } catch let refused {
                error = refused
            }
        }
        // The next caller that opens a device must see the current configuration.
        PCM.forgetConfiguration()
        throw error
    }

    /// Reads the available samples, and returns their number; restarts after an overrun.
    private func hear(_ pcm: PCM, _ buffer: UnsafeMutableBufferPointer<Int16>) throws(ALSAError) -> Int {
        do {
            let count = try pcm.read(into: buffer)
            let samples = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            if isMuted.load(ordering: .relaxed) { samples.update(repeating: 0) }
            line.write(UnsafeBufferPointer(samples))
            return count
        } catch  where error.code == EPIPE {
            try pcm.rearm()
            try pcm.start()
            return 1
        }
    }
}
