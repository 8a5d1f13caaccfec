// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// The media of a far end, which reads the telephone events (RFC 4733) that the engine sends.
final class TelephoneEvents {
    /// A packet of an event.
    struct Packet: Hashable {
        /// The event, 0–9 for digits, 10 for `*` and 11 for `#`.
        let event: UInt8
        /// Whether the event has ended.
        let isEnd: Bool
        /// The duration so far, in units of the codec's clock.
        let duration: Int
        /// The start of the event, or of its segment.
        let timestamp: UInt32
        /// Whether the marker bit is set.
        let isMarked: Bool
    }

    /// An event, as its packets describe it.
    struct Event: Hashable {
        let event: UInt8
        /// The duration in units, of all segments.
        let duration: Int
        /// The number of segments.
        let segments: Int
        /// The number of packets with the end bit.
        let ends: Int
        /// The number of packets with the marker bit.
        let marks: Int
    }

    /// The port on 127.0.0.1.
    let port: UInt16
    private let descriptor: Int32
    private var packets: [Packet] = []
    /// The payload type of the events.
    var payloadType: UInt8 = 101

    /// Opens the port.
    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        port = try ScriptedRegistrar.bind(descriptor, to: "127.0.0.1")
    }

    deinit { close(descriptor) }

    /// Waits for the next packet of an event for which a condition is true; nil if none comes in time.
    func wait(seconds: Double = 10, where condition: (Packet) -> Bool = { _ in true }) -> Packet? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while let bytes = readBytes(from: descriptor, until: deadline) {
            guard let packet = packet(Array(bytes)) else { continue }
            packets.append(packet)
            if condition(packet) { return packet }
        }
        return nil
    }

    /// Waits until events have ended, with all packets of their ends.
    ///
    /// Returns the events so far.
    func waitForEnds(_ count: Int, seconds: Double = 10) -> [Event] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while events.filter({ $0.ends == 3 }).count < count,
            wait(seconds: deadline.timeIntervalSinceNow) != nil
        {}
        return events
    }

    /// The pauses between the events so far, in units; those of events in one segment.
    var pauses: [Int] {
        zip(groups, groups.dropFirst()).map { before, after in
            let end = before[0].timestamp &+ UInt32(before.map(\.duration).max() ?? 0)
            return Int(Int32(bitPattern: after[0].timestamp &- end))
        }
    }

    /// Waits for a packet of PCMA that is not silent.
    func waitForTone(seconds: Double = 10) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while let bytes = readBytes(from: descriptor, until: deadline) {
            // Silence is the smallest step, of either sign (ITU-T G.711).
            let loud = bytes.dropFirst(12).filter { $0 & 0x7f != 0x55 }
            if bytes.count > 100, bytes[bytes.startIndex + 1] & 0x7f == 8, loud.count > 80 { return true }
        }
        return false
    }

    private var events: [Event] {
        groups.map { group in
            let segments = Dictionary(grouping: group, by: \.timestamp)
            return Event(
                event: group[0].event,
                duration: segments.values.map { $0.map(\.duration).max() ?? 0 }.reduce(0, +),
                segments: segments.count, ends: group.filter(\.isEnd).count,
                marks: group.filter(\.isMarked).count)
        }
    }

    /// The packets of each event.
    private var groups: [[Packet]] {
        var groups: [[Packet]] = []
        for packet in packets {
            let last = groups.last?.last
            let continues =
                last?.event == packet.event
                && (last?.timestamp == packet.timestamp
                    || last?.isEnd == false
                        && packet.timestamp == (last?.timestamp ?? 0) &+ UInt32(last?.duration ?? 0))
            if continues { groups[groups.count - 1].append(packet) } else { groups.append([packet]) }
        }
        return groups
    }

    private func packet(_ bytes: [UInt8]) -> Packet? {
        guard bytes.count >= 16, bytes[0] >> 6 == 2, bytes[1] & 0x7f == payloadType else { return nil }
        let timestamp = bytes[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Packet(
            event: bytes[12], isEnd: bytes[13] & 0x80 != 0, duration: Int(bytes[14]) << 8 | Int(bytes[15]),
            timestamp: timestamp, isMarked: bytes[1] & 0x80 != 0)
    }
}
