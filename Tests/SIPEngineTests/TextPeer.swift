// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// The real-time text of a far end (RFC 4103), byte by byte as the standard has it.
final class TextPeer {
    /// The payload types, which are those of the offer.
    private(set) var plain: UInt8 = 98, redundant: UInt8 = 100
    /// The port on 127.0.0.1.
    let port: UInt16
    private let descriptor: Int32
    private var engine: UInt16 = 0
    private var sequence: UInt16 = 65_534
    private var timestamp: UInt32 = 1_000
    private let source = UInt32.random(in: 1...UInt32.max)
    /// The last texts, which the next packet repeats.
    private var earlier: [[UInt8]] = []
    /// The numbers of the packets that have come from the engine.
    private(set) var received: [UInt16] = []

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        port = try ScriptedRegistrar.bind(descriptor, to: "127.0.0.1")
    }

    deinit { close(descriptor) }

    /// The parameters of the text, such as `cps=5`; empty for none.
    var parameters = ""

    /// The medium in a session description.
    var medium: String {
        """
        m=text \(port) RTP/AVP \(redundant) \(plain)\r
        a=rtpmap:\(plain) t140/1000\r
        \(parameters.isEmpty ? "" : "a=fmtp:\(plain) \(parameters)\r\n")\
        a=rtpmap:\(redundant) red/1000\r
        a=fmtp:\(redundant) \(plain)/\(plain)/\(plain)\r

        """
    }

    /// Reads the engine's port and payload types in its session description; false if it has refused the text.
    func meet(_ message: String) -> Bool {
        let lines = message.components(separatedBy: "\r\n")
        let line = lines.first { $0.hasPrefix("m=text ") }
        engine = line?.split(separator: " ").dropFirst().first.flatMap { UInt16($0) } ?? 0
        func type(_ name: String) -> UInt8? {
            lines.first { $0.hasSuffix(" \(name)/1000") }?.dropFirst("a=rtpmap:".count)
                .split(separator: " ").first.flatMap { UInt8($0) }
        }
        (plain, redundant) = (type("t140") ?? plain, type("red") ?? redundant)
        return engine != 0
    }

    /// Sends a text with the two texts before it, as every 300 ms; or loses it on the way.
    func send(_ text: String, isLost: Bool = false) {
        let block = Array(text.utf8)
        sequence &+= 1
        timestamp += 300
        var payload: [UInt8] = []
        for (index, repeated) in earlier.enumerated() {
            let offset = 300 * (earlier.count - index)
            payload += [
                0x80 | plain, UInt8(offset >> 6), UInt8((offset & 0x3f) << 2 | repeated.count >> 8),
                UInt8(repeated.count & 0xff),
            ]
        }
        payload.append(plain)
        payload += earlier.flatMap(\.self) + block
        earlier = earlier.suffix(1) + [block]
        if !isLost { sendPacket(payload, type: redundant) }
    }

    /// Sends any payload.
    func sendRaw(_ payload: [UInt8], type: UInt8? = nil) {
        sequence &+= 1
        timestamp += 300
        sendPacket(payload, type: type ?? redundant)
    }

    private func sendPacket(_ payload: [UInt8], type: UInt8) {
        func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
            withUnsafeBytes(of: value.bigEndian, Array.init)
        }
        let packet = [0x80, type] + bytes(sequence) + bytes(timestamp) + bytes(source) + payload
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = engine.bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Waits until the engine has sent a text, of which every packet but each `nth` arrives; returns what has come.
    func receive(_ text: String, losing nth: Int = .max, seconds: Double = 10) -> String {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var result = ""
        var last: UInt16?
        var count = 0
        while result != text, let bytes = readBytes(from: descriptor, until: deadline).map(Array.init) {
            guard bytes.count > 12, bytes[1] & 0x7f == redundant else { continue }
            count += 1
            if count.isMultiple(of: nth) { continue }
            let number = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            received.append(number)
            let missing = last.map { Int(number &- $0) - 1 } ?? 0
            last = number
            result += Self.texts(in: Array(bytes.dropFirst(12))).suffix(missing + 1).joined()
        }
        return result
    }

    /// Returns the texts of a packet with redundancy, its own as the last one, without byte order marks.
    private static func texts(in payload: [UInt8]) -> [String] {
        var (sizes, position): ([Int], Int) = ([], 0)
        while payload[position] & 0x80 != 0 {
            sizes.append(Int(payload[position + 2] & 3) << 8 | Int(payload[position + 3]))
            position += 4
        }
        position += 1
        var texts: [String] = []
        for size in sizes + [payload.count - position - sizes.reduce(0, +)] {
            let text = String(decoding: payload[position..<position + size], as: UTF8.self)
            texts.append(text.replacingOccurrences(of: "\u{FEFF}", with: ""))
            position += size
        }
        return texts
    }
}
