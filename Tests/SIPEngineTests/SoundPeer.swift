// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import Testing

/// The media of a far end with PCMA at 8,000 Hz (ITU-T G.711), which says tones and keeps what it hears.
final class SoundPeer: Sendable {
    private struct State {
        /// The frequency that it says; nil for silence.
        var frequency: Double?
        /// The tones that it says first, with the packets of each that are left.
        var sentence: [(frequency: Double?, packets: Int)] = []
        /// Signalled when all of them are sent.
        var isSaid: DispatchSemaphore?
        /// Whether it sends anything.
        var sends = true
        /// The key that it sends (RFC 4733), and the packets of it that are left.
        var key: (event: UInt8, packets: Int)?
        /// The port of the engine; 0 while it is not known.
        var target: UInt16 = 0
        var heard: [Double] = []
        var isOver = false

        /// Returns the frequency of the next packet.
        mutating func nextFrequency() -> Double? {
            guard let first = sentence.first else {
                isSaid?.signal()
                isSaid = nil
                return frequency
            }
            // What is not sent is said later.
            guard sends, target != 0 else { return nil }
            sentence[0].packets -= 1
            if first.packets == 1 { sentence.removeFirst() }
            return first.frequency
        }
    }

    static let rate = 8_000
    /// The port on 127.0.0.1.
    let port: UInt16
    private let descriptor: Int32
    private let state = Mutex(State())

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        port = try ScriptedRegistrar.bind(descriptor, to: "127.0.0.1")
        Thread.detachNewThread { [self] in run() }
    }

    /// Ends it.
    func end() { state.withLock { $0.isOver = true } }

    /// Sends to the port of a session description from now on.
    func connect(to session: String) {
        let line = session.components(separatedBy: "\r\n").first { $0.hasPrefix("m=audio ") } ?? ""
        let parts = line.components(separatedBy: " ")
        state.withLock { $0.target = parts.count > 1 ? UInt16(parts[1]) ?? 0 : 0 }
    }

    /// Says a tone from now on, or nothing.
    func say(_ frequency: Double?) { state.withLock { $0.frequency = frequency } }

    /// Says tones, or nothing, each for some seconds, and then nothing; returns when all of that is sent.
    ///
    /// The lengths are those of the packets, however late this thread is woken.
    func say(_ sentence: (frequency: Double?, seconds: Double)...) {
        say(sentence, thenStops: true)
    }

    /// Goes on with what it says; returns when that is sent for some more seconds.
    func goOn(seconds: Double) {
        say([(state.withLock { $0.frequency }, seconds)], thenStops: false)
    }

    private func say(_ sentence: [(frequency: Double?, seconds: Double)], thenStops: Bool) {
        let isSaid = DispatchSemaphore(value: 0)
        state.withLock { state in
            state.sentence = sentence.map { ($0.frequency, max(1, Int(($0.seconds * 50).rounded()))) }
            state.isSaid = isSaid
            if thenStops { state.frequency = nil }
        }
        let length = sentence.reduce(0) { $0 + $1.seconds }
        if isSaid.wait(timeout: .now() + length + 30) == .timedOut { Issue.record("it was not said") }
    }

    /// Sends nothing at all from now on, or sends again.
    func setSends(_ sends: Bool) { state.withLock { $0.sends = sends } }

    /// Sends the key `#` as a telephone event.
    func pressHash() { state.withLock { $0.key = (11, 8) } }

    /// The sound that it has heard so far, without the time in which nothing came.
    var heard: DecodedSound { DecodedSound(channels: [state.withLock { $0.heard }], rate: Self.rate) }

    /// Forgets what it has heard.
    func forget() { state.withLock { $0.heard = [] } }

    /// Waits until it hears a frequency for a fifth of a second.
    ///
    /// Returns whether it did in time.
    func waitForTone(_ frequency: Double, seconds: Double = 10) -> Bool {
        wait(seconds: seconds) { $0.level(of: frequency, from: $0.length - 0.2, for: 0.2) > 0.05 }
    }

    /// Waits until what it has heard meets a condition.
    func wait(seconds: Double = 10, until isEnough: (DecodedSound) -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if isEnough(heard) { return true }
            // Packets come every 20 ms.
            usleep(20_000)
        }
        return false
    }

    private func run() {
        var (sequence, time, phase) = (UInt16(0), UInt32(0), 0.0)
        var next = ContinuousClock.now
        while !state.withLock({ $0.isOver }) {
            next += .milliseconds(20)
            while ContinuousClock.now < next { take(until: next) }
            let (frequency, sends, key, target) = state.withLock { state in
                defer {
                    if let key = state.key {
                        state.key = key.packets > 1 ? (key.event, key.packets - 1) : nil
                    }
                }
                return (state.nextFrequency(), state.sends, state.key, state.target)
            }
            sequence &+= 1
            defer { time &+= 160 }
            let step = 2 * .pi * (frequency ?? 0) / Double(Self.rate)
            let samples = (0..<160).map { 8_000 * sin(phase + step * Double($0)) }
            phase += step * 160
            guard sends, target != 0 else { continue }
            var packet: [UInt8] = [0x80, key == nil ? 8 : 101]
            packet += [UInt8(sequence >> 8), UInt8(sequence & 0xff)]
            // All packets of an event have the time of its start.
            let start = key.map { time &- UInt32(8 - $0.packets) * 160 } ?? time
            packet += (0..<4).map { UInt8(truncatingIfNeeded: start >> (24 - 8 * $0)) } + [1, 2, 3, 4]
            if let key {
                let duration = (9 - key.packets) * 160
                packet += [key.event, key.packets <= 3 ? 0x8a : 0x0a]
                packet += [UInt8(duration >> 8), UInt8(duration & 0xff)]
            } else {
                packet += samples.map { Self.encoded(Int($0)) }
            }
            send(packet, to: target)
        }
        close(descriptor)
    }

    private func take(until deadline: ContinuousClock.Instant) {
        let rest = deadline - ContinuousClock.now
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(rest / .milliseconds(1)) + 1
        guard rest > .zero, poll(&polled, 1, milliseconds) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 2_048)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 12, bytes[0] >> 6 == 2, bytes[1] & 0x7f == 8 else { return }
        let samples = bytes[12..<count].map { Self.decoded($0) }
        state.withLock { $0.heard += samples }
    }

    private func send(_ packet: [UInt8], to port: UInt16) {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Returns the A-law code of a sample of 16 bits.
    private static func encoded(_ sample: Int) -> UInt8 {
        let magnitude = min(abs(sample), 32_767) >> 3
        var (exponent, mantissa) = (0, magnitude >> 1)
        if magnitude >= 32 {
            exponent = 1
            var rest = magnitude
            while rest >= 64 { (rest, exponent) = (rest >> 1, exponent + 1) }
            mantissa = (rest >> 1) & 0xf
        }
        let code = UInt8(exponent << 4 | mantissa & 0xf) | (sample >= 0 ? 0x80 : 0)
        return code ^ 0x55
    }

    /// Returns the sample of an A-law code, from -1 to 1.
    private static func decoded(_ code: UInt8) -> Double {
        let value = code ^ 0x55
        let (exponent, mantissa) = (Int(value >> 4) & 7, Int(value & 0xf))
        let magnitude =
            exponent == 0 ? mantissa << 4 | 8 : (mantissa << 4 | 0x108) << (exponent - 1)
        return Double(value & 0x80 == 0 ? -magnitude : magnitude) / 32_768
    }
}
