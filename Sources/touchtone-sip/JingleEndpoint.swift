// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages

/// The far end of calls whose signalling is the phone's, as liblinphone sees it: a SIP endpoint at 127.0.0.1.
///
/// Each such call is one between it and liblinphone, so that all that a call can do is the same. It opens its socket with the
/// first call.
final class JingleEndpoint {
    private var socket: LoopbackSocket?
    private var sessions: [SIPCallID: JingleSession] = [:]
    /// liblinphone's port.
    private var otherPort: UInt16 = 0

    /// The most calls at the same time, also those that end.
    private static let maximumSessions = 20

    /// The socket to wait for; nil before there is a call.
    var descriptor: Int32? { socket?.descriptor }
    /// The port, for liblinphone's filters; nil before there is a call.
    var port: UInt16? { socket?.port }
    /// Whether there are calls that liblinphone does not have yet.
    var isBusy: Bool { sessions.values.contains { !$0.hasCall } }
    /// The account of a call that liblinphone is about to get; nil if there is none.
    var nextAccount: Account? { sessions.values.first { $0.isInviting }?.account }

    subscript(id: SIPCallID) -> JingleSession? { sessions[id] }

    /// Returns the route of the requests with a name in From; nil if it is of no call.
    func route(user: String, host: String) -> Route? {
        sessions.values.first { $0.account.route.isOf(user: user, host: host) }?.account.route
    }

    /// Returns the call that liblinphone gets by an address with a user part.
    func session(called token: String) -> JingleSession? {
        sessions.values.first { $0.token == token && !$0.isOffer && !$0.hasCall }
    }

    /// Begins a call.
    ///
    /// - Parameters:
    ///   - relay: The relay through which alone the sound may go, by its address in numbers.
    ///   - makeAccount: Makes the account, with the user part of its address and the endpoint's port.
    func begin(
        _ id: SIPCallID, isOffer: Bool, relay: MediaServer?, makeAccount: (String, UInt16) -> Account?
    ) -> JingleSession? {
        guard sessions[id] == nil, sessions.count < Self.maximumSessions else { return nil }
        socket = socket ?? LoopbackSocket()
        guard let socket else { return nil }
        connect(to: otherPort)
        let token = Self.random()
        guard let account = makeAccount(token, socket.port) else { return nil }
        let session = JingleSession(
            id: id, account: account, token: token, isOffer: isOffer, tag: Self.random(), port: socket.port,
            relay: relay
        ) { socket.send($0) }
        sessions[id] = session
        return session
    }

    func remove(_ id: SIPCallID) -> JingleSession? { sessions.removeValue(forKey: id) }

    /// Removes the calls that liblinphone had, and returns them.
    func removeAll(where isEnded: (SIPCallID) -> Bool) -> [JingleSession] {
        let ended = sessions.values.filter { $0.hasCall && isEnded($0.id) }
        for session in ended { sessions[session.id] = nil }
        return ended
    }

    /// Exchanges messages with liblinphone at another port from now on.
    func connect(to port: UInt16) {
        otherPort = port
        if port != 0 { socket?.connect(to: port) }
    }

    /// Handles all messages that have come, and what is due.
    func work() {
        while let bytes = socket?.receive() {
            guard let message = LoopbackMessage(bytes) else { continue }
            guard let session = sessions.values.first(where: { $0.isOf(message) }) else {
                // liblinphone would repeat the end of a call that is over.
                if ["BYE", "CANCEL"].contains(message.method) {
                    socket?.send(message.response(200, tag: "-", contact: "<sip:127.0.0.1>"))
                }
                continue
            }
            if message.status != nil { session.receive(response: message) } else { session.receive(message) }
        }
        for session in Array(sessions.values) { session.goOn(port: otherPort) }
    }

    /// Returns 128 random bits, in hexadecimal digits.
    private static func random() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
