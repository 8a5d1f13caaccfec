// SPDX-License-Identifier: GPL-3.0-or-later

internal import CHelperShims
internal import Glibc

/// One end of the connection between the phone and a helper: messages in both directions, without ever blocking.
///
/// A message can carry a descriptor. That goes with the end of its line, because a receiver gets no byte behind the one with
/// which a descriptor came before it has taken that (unix(7)).
public final class MessageSocket<Outgoing: Encodable, Incoming: Decodable> {
    public let descriptor: Int32
    private let takesDescriptors: Bool
    private var splitter = LineSplitter()
    private var unsent: [UInt8] = []
    /// The descriptors of unsent messages, with the places of their lines' ends.
    private var passed: [(place: Int, descriptor: PassedDescriptor)] = []

    /// The number of bytes that wait for an end that does not read, beyond which nothing is queued.
    private static var maximumUnsent: Int { 4 << 20 }
    private static var bytesAtOnce: Int { 64 << 10 }

    /// Takes a socket over; nil if the descriptor is none, and then it is not taken.
    ///
    /// - Parameter takesDescriptors: Whether descriptors can come with messages; otherwise the kernel closes them.
    public init?(owning descriptor: Int32, takesDescriptors: Bool) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        (self.descriptor, self.takesDescriptors) = (descriptor, takesDescriptors)
    }

    deinit { close(descriptor) }

    /// Whether messages wait until the other end reads.
    public var hasUnsent: Bool { !unsent.isEmpty }

    /// Whether the other end has not read for so long that messages are lost.
    public var isFull: Bool { unsent.count >= Self.maximumUnsent }

    /// Queues a message for `flush()`; returns false if it is too long or too much waits.
    @discardableResult
    public func send(_ message: Outgoing, with descriptor: PassedDescriptor? = nil) -> Bool {
        guard !isFull, let line = MessageCoding.line(for: message) else { return false }
        unsent += line
        if let descriptor { passed.append((unsent.count - 1, descriptor)) }
        return true
    }

    /// Sends as much as the other end takes, or drops everything if the connection is broken.
    public func flush() {
        while !unsent.isEmpty {
            let isPassing = passed.first?.place == 0
            let count = chelper_send(
                descriptor, unsent, isPassing ? 1 : passed.first?.place ?? unsent.count,
                isPassing ? passed[0].descriptor.number : -1)
            guard count > 0 else {
                if errno == EINTR { continue }
                if errno != EAGAIN { (unsent, passed) = ([], []) }
                return
            }
            unsent.removeFirst(count)
            if isPassing { passed.removeFirst() }
            for index in passed.indices { passed[index].place -= count }
        }
    }

    /// Returns the messages that have arrived, nil for each line that is none; nil if the other end has closed the connection.
    public func receive() -> [(message: Incoming?, descriptor: PassedDescriptor?)]? {
        var (count, number) = (0, Int32(-1))
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.bytesAtOnce) { buffer, length in
            count = withUnsafeMutablePointer(to: &number) {
                chelper_receive(descriptor, buffer.baseAddress, buffer.count, takesDescriptors ? $0 : nil)
            }
            length = max(0, count)
        }
        let passed = number < 0 ? nil : PassedDescriptor(owning: number)
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        guard count > 0 else { return nil }
        let (lines, last) = (splitter.lines(after: bytes.dropLast()), splitter.lines(after: bytes.suffix(1)))
        return lines.map { (MessageCoding.message(in: $0), nil) }
            + last.map { (MessageCoding.message(in: $0), passed) }
    }
}

/// A descriptor that goes with a message to another process, or came with one; it is closed with this object.
public final class PassedDescriptor: Sendable {
    public let number: Int32

    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}
