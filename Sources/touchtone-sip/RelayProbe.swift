// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc
import SIPMessages

/// A check of a TURN server and the user's password, whose refusal liblinphone does not report: it requests
/// a relayed address over UDP, as a call does (RFC 8656, section 7), and gives it back.
struct RelayProbe {
    private let host: String
    private let port: String
    /// Whether the server may be another one, by SRV records.
    private let isFoundByName: Bool
    private let user: String
    private let password: String

    /// The times to wait for an answer to each repetition of a request, in milliseconds (RFC 8489, section 6.2.1).
    private static let timeouts: [CInt] = [500, 1_000, 2_000]

    /// Creates a check of an account's TURN server; nil if the account has none, or no password there.
    init?(_ account: SIPAccount, password: String) {
        guard !account.relayUser.isEmpty, !password.isEmpty, !account.stunServer.isEmpty else { return nil }
        (user, self.password) = (account.relayUser, password)
        var place = account.stunServer[...]
        var port = ""
        if let colon = place.lastIndex(of: ":"), !place[colon...].contains("]"),
            place.hasPrefix("[") || place.firstIndex(of: ":") == colon
        {
            port = String(place[place.index(after: colon)...])
            place = place[..<colon]
        }
        host = place.filter { $0 != "[" && $0 != "]" }
        isFoundByName = port.isEmpty
        self.port = port.isEmpty ? "3478" : port
    }

    /// Creates a check of a server that relays the sound of a call.
    init(_ server: MediaServer) {
        (host, port, isFoundByName) = (server.host.filter { $0 != "[" && $0 != "]" }, "\(server.port)", false)
        (user, password) = (server.user, server.password)
    }

    /// Starts the check, whose result is nil if it could not be made.
    func start() -> Search<SIPRelayState?> { Search(otherwise: nil) { check() } }

    /// The state of a server, and its address in numbers if it relays.
    struct Outcome {
        let state: SIPRelayState
        let address: String
    }

    /// Starts the check to use the server’s address.
    func find() -> Search<Outcome> {
        let failure = Outcome(state: .noAnswer, address: "")
        return Search(otherwise: failure) {
            guard let descriptor = connection else { return failure }
            defer { close(descriptor) }
            guard let state = check(over: descriptor) else { return failure }
            return Outcome(state: state, address: state == .accepted ? Self.peer(of: descriptor) : "")
        }
    }

    private func check() -> SIPRelayState? {
        if isFoundByName, sipshims_has_srv("_turn._udp.\(host)") { return nil }
        guard let descriptor = connection else { return .noAnswer }
        defer { close(descriptor) }
        return check(over: descriptor)
    }

    /// Returns the address to which a socket is connected.
    private static func peer(of descriptor: CInt) -> String {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isFound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length) == 0
                    && getnameinfo($0, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        return isFound
            ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }

    private func check(over descriptor: CInt) -> SIPRelayState? {
        var challenge: (realm: String, nonce: String)?
        // Without credentials; with them; and once more if the nonce has become old.
        for _ in 0..<3 {
            guard let request = ms_turn_allocate_request_create() else { return nil }
            defer { ms_stun_message_destroy(request) }
            guard let answer = exchange(request, challenge, over: descriptor) else { return .noAnswer }
            defer { ms_stun_message_destroy(answer) }
            guard ms_stun_message_is_error_response(answer) != 0 else {
                release(challenge, over: descriptor)
                return .accepted
            }
            let status = ms_stun_message_get_error_code(answer, nil)
            switch status {
            case 401 where challenge != nil: return .wrongPassword
            case 401, 438:
                guard let realm = ms_stun_message_get_realm(answer),
                    let nonce = ms_stun_message_get_nonce(answer)
                else { return .refused(status: Int(status)) }
                challenge = (String(cString: realm), String(cString: nonce))
            default: return .refused(status: Int(status))
            }
        }
        return .refused(status: 438)
    }

    /// A socket that is connected to the server; nil if the server was not found.
    private var connection: CInt? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }).compactMap({ $0?.pointee }) {
            let descriptor = socket(entry.ai_family, entry.ai_socktype, 0)
            guard descriptor >= 0 else { continue }
            if connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return descriptor }
            close(descriptor)
        }
        return nil
    }

    /// Gives the relayed address back, so that the server does not keep it for minutes.
    private func release(_ challenge: (realm: String, nonce: String)?, over descriptor: CInt) {
        guard let request = ms_turn_refresh_request_create(0) else { return }
        defer { ms_stun_message_destroy(request) }
        if let answer = exchange(request, challenge, over: descriptor) { ms_stun_message_destroy(answer) }
    }

    /// Sends a request until its response comes; returns nil if none does.
    private func exchange(
        _ request: UnsafeMutablePointer<MSStunMessage>, _ challenge: (realm: String, nonce: String)?,
        over descriptor: CInt
    ) -> UnsafeMutablePointer<MSStunMessage>? {
        ms_stun_message_set_random_tr_id(request)
        if let challenge {
            ms_stun_message_set_username(request, user)
            ms_stun_message_set_password(request, password)
            ms_stun_message_set_realm(request, challenge.realm)
            ms_stun_message_set_nonce(request, challenge.nonce)
            ms_stun_message_enable_message_integrity(request, 1)
        }
        var text: UnsafeMutablePointer<CChar>?
        let length = ms_stun_message_encode(request, &text)
        defer { clinphone_free(text) }
        for timeout in Self.timeouts {
            // A refused datagram shows as an error of this one; the server may start meanwhile.
            _ = Glibc.send(descriptor, text, length, 0)
            let end = Instant.now.advanced(by: Int(timeout))
            while let answer = receive(until: end, over: descriptor) {
                if isAnswer(answer, to: request) { return answer }
                ms_stun_message_destroy(answer)
            }
        }
        return nil
    }

    /// Returns the next message that arrives in time; nil if none does.
    private func receive(until end: Instant, over descriptor: CInt) -> UnsafeMutablePointer<MSStunMessage>? {
        while true {
            let rest = Instant.now.milliseconds(until: end)
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard rest > 0, poll(&polled, 1, CInt(rest)) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 2_048)
            let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            if let answer = ms_stun_message_create_from_buffer_parsing(bytes, count) { return answer }
        }
    }

    private func isAnswer(
        _ answer: UnsafeMutablePointer<MSStunMessage>, to request: UnsafeMutablePointer<MSStunMessage>
    ) -> Bool {
        var (first, second) = (answer.pointee.tr_id, request.pointee.tr_id)
        let isSame = memcmp(&first, &second, MemoryLayout.size(ofValue: first)) == 0
        let isResponse =
            ms_stun_message_is_error_response(answer) != 0 || ms_stun_message_is_success_response(answer) != 0
        return isSame && isResponse && answer.pointee.method == request.pointee.method
    }
}
