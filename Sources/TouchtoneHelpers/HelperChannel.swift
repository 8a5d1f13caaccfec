// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import HelperMessages

/// The phone's end of the connection to a helper, in the main loop.
@MainActor
final class HelperChannel<Kind: HelperKind> {
    var onEvent: ((HelperEvent<Kind>) -> Void)?
    /// The receiver of the end of the connection, which `close()` does not report.
    var onEnd: (() -> Void)?

    private var input: DescriptorWatch?
    private var output: DescriptorWatch?
    private var socket: MessageSocket<HelperCommand<Kind>, HelperEvent<Kind>>?

    /// Creates a channel that owns a connected socket; throws `GLibError` if the descriptor is none.
    init(socket descriptor: Int32) throws(GLibError) {
        // A helper has no reason to pass descriptors.
        socket = MessageSocket(owning: descriptor, takesDescriptors: false)
        guard socket != nil else { throw GLibError(domain: Kind.program, message: "not a socket") }
        input = DescriptorWatch(descriptor) { [weak self] in self?.receive() }
    }

    /// Queues a command, and sends as much as the helper takes at once.
    func send(_ command: HelperCommand<Kind>, with descriptor: PassedDescriptor? = nil) {
        guard let socket else { return }
        if !socket.send(command, with: descriptor) {
            if socket.isFull { return end() }
            DebugLog.write("\(Kind.program): a command is too long")
        }
        flush()
    }

    /// Closes the connection, which ends the helper.
    func close() { (input, output, socket) = (nil, nil, nil) }

    private func end() {
        close()
        onEnd?()
    }

    /// Handles what has arrived, without waiting.
    func receive() {
        guard let socket else { return }
        guard let messages = socket.receive() else { return end() }
        for (event, _) in messages {
            // A message may have closed the connection.
            guard self.socket != nil else { return }
            if let event { onEvent?(event) } else { DebugLog.write("\(Kind.program): an unknown event came") }
        }
    }

    /// The main loop reports the end of a connection that is broken, so that no call ends while it is being commanded.
    private func flush() {
        guard let socket else { return }
        socket.flush()
        guard socket.hasUnsent else { return output = nil }
        if output == nil {
            output = DescriptorWatch(socket.descriptor, for: .output) { [weak self] in self?.flush() }
        }
    }
}
