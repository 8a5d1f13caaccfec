// SPDX-License-Identifier: GPL-3.0-or-later

/// The coding of messages as rows of texts, each on a line; Foundation's coders would add their library to
/// the program, and milliseconds to its start.
public enum MessageCoding {
    /// The greatest length of a line in bytes, without its end.
    public static let maximumLength = 65_536

    /// Returns the line for a message, with its end; nil if it would be longer than `maximumLength`.
    public static func line(for message: some Encodable) -> [UInt8]? {
        let encoder = MessageEncoder()
        guard (try? encoder.encode(message)) != nil else { return nil }
        let line = Row.line(of: encoder.fields)
        return line.count <= maximumLength ? line + [UInt8(ascii: "\n")] : nil
    }

    /// Returns the message in a line without its end; nil unless it is the line for a message.
    public static func message<Message: Decodable>(
        in line: some Collection<UInt8>, as type: Message.Type = Message.self
    ) -> Message? {
        guard let fields = Row.fields(of: line) else { return nil }
        let decoder = MessageDecoder(fields: fields)
        guard let message = try? decoder.decode(type), decoder.isAtEnd else { return nil }
        return message
    }
}

/// A splitter of received bytes into lines, with bounded memory.
public struct LineSplitter: Sendable {
    private var rest: [UInt8] = []
    private var isSkipping = false

    public init() {}

    /// Returns the lines that the bytes complete, without their ends, and without those that are too long.
    public mutating func lines(after bytes: some Collection<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isSkipping { lines.append(rest) }
                rest.removeAll(keepingCapacity: true)
                isSkipping = false
            } else if rest.count == MessageCoding.maximumLength {
                isSkipping = true
            } else if !isSkipping {
                rest.append(byte)
            }
        }
        return lines
    }
}
