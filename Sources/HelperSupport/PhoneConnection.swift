// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import HelperMessages

/// The connection to the phone, a socket at standard input; the helper ends when the phone has closed it.
public final class PhoneConnection<Kind: HelperKind> {
    private typealias Socket = MessageSocket<HelperEvent<Kind>, HelperCommand<Kind>>
    private let socket: Socket
    private var isStarted = false

    /// Creates a connection; nil if standard input is not a socket.
    public init?() {
        guard let socket = Socket(owning: STDIN_FILENO, takesDescriptors: true) else { return nil }
        self.socket = socket
    }

    public var descriptor: Int32 { socket.descriptor }

    /// Whether events wait until the phone reads.
    public var hasUnsent: Bool { socket.hasUnsent }

    /// Sends an event with the next `flush()`.
    public func send(_ event: Kind.Event) { socket.send(.event(event)) }

    /// Sends waiting events as far as the phone reads them.
    public func flush() { socket.flush() }

    /// Handles what has arrived; returns false if the phone has gone, or has another version of the messages.
    ///
    /// `start` returns false if the helper can't start; descriptors are closed unless `execute` keeps them.
    public func receive(
        start: (Kind.Configuration) -> Bool, execute: (Kind.Command, PassedDescriptor?) -> Void
    ) -> Bool {
        guard let messages = socket.receive() else { return false }
        for (message, descriptor) in messages {
            switch message {
            case .start(let version, let configuration) where !isStarted:
                socket.send(.ready(version: Kind.version))
                socket.flush()
                guard version == Kind.version, start(configuration) else { return false }
                isStarted = true
            case nil where !isStarted:
                refuseEarlierVersion()
                return false
            case .heartbeat(let number) where isStarted: socket.send(.heartbeat(number))
            case .command(let command) where isStarted: execute(command, descriptor)
            case .start, .heartbeat, .command, nil: break
            }
        }
        return true
    }

    /// Tells the version in the form in which phones with versions of the messages up to 8 read it.
    private func refuseEarlierVersion() {
        let line = "{\"ready\":{\"version\":\(Kind.version)}}\n"
        _ = Glibc.send(descriptor, line, line.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
}
