// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc
import SIPMessages

/// The connection to the phone.
final class Channel {
    /// The socket.
    let descriptor: Int32
    private var splitter = LineSplitter()
    private var unsent: [UInt8] = []

    /// The greatest number of bytes that wait for a phone that does not read.
    private static let maximumBacklog = 4 << 20

    /// Creates a channel; nil if the descriptor is not a socket.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Whether events wait until the phone reads.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// Returns the commands that have arrived, with nil for each line that is none; nil if the phone has closed the connection.
    func receive() -> [SIPCommand?]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        guard count > 0 else { return nil }
        return splitter.lines(after: bytes.prefix(count)).map { MessageCoding.message(in: $0) }
    }

    /// Tells a phone of an earlier version, which writes its messages in another form, the version of the messages.
    func refuseEarlierVersion() { unsent += Array(SIPConfiguration.readyForEarlierVersions.utf8) }

    /// Sends an event to the phone with the next `flush()`.
    func send(_ event: SIPEvent) {
        guard unsent.count < Self.maximumBacklog, let line = MessageCoding.line(for: event) else { return }
        unsent += line
    }

    /// Sends waiting events as far as the phone reads them.
    func flush() {
        while !unsent.isEmpty {
            let count = write(descriptor, unsent, unsent.count)
            guard count > 0 else { return }
            unsent.removeFirst(count)
        }
    }
}
