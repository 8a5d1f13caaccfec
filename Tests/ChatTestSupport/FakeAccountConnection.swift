// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A connection to an account’s server that the test controls.
@MainActor
public final class FakeAccountConnection: AccountConnection {
    /// The observer of the states that the test sets.
    public var onChange: (@MainActor () -> Void)?
    /// The state.
    public private(set) var state = AccountState.signedOut
    /// The details of the present connection; nil if there is none.
    public private(set) var details: AccountDetails?
    /// The requests so far, except disconnections.
    public private(set) var log: [String] = []
    /// The mechanism of the last sign-in.
    public var signInMethod = ""
    /// Whether the user is looking at the program.
    public var isActive = true
    /// Whether nothing is in progress: always.
    public let isSettled = true

    /// Creates a connection that is signed out.
    public init() {}

    /// Whether a connection was requested.
    public var isConnected: Bool { details != nil }
    /// The requested sign-ins: the address and the password, then the trusted certificate and the weakest mechanism.
    public var signIns: [String] { log.filter { $0.hasPrefix("connect ") } }

    /// Returns an address in lowercase; nil for a text with spaces or without an at sign.
    public func address(_ text: String) -> String? {
        text.contains(" ") || !text.contains("@") ? nil : text.lowercased()
    }

    /// Records the request, and starts to connect.
    public func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String
    ) {
        self.details = details
        log.append(
            "connect \(details.address) \(password)" + (certificate.isEmpty ? "" : " \(certificate)")
                + (method.isEmpty ? "" : " ≥ \(method)"))
        become(.connecting)
    }

    /// Signs out.
    public func disconnect() {
        details = nil
        if state != .signedOut { become(.signedOut) }
    }

    /// The error of the changes on the server; nil if they succeed.
    public var refusal: ChatServiceError?

    /// Records the request.
    public func changePassword(to password: String) async throws(ChatServiceError) {
        log.append("password \(password)")
        if let refusal { throw refusal }
    }

    /// Records the request.
    public func removeFromServer() async throws(ChatServiceError) {
        log.append("remove")
        if let refusal { throw refusal }
    }

    /// Does nothing.
    public func wakeUp() {}

    /// The accounts whose tokens were removed, in order.
    public private(set) var forgotten: [String] = []

    /// Records the request.
    public func forgetToken(of address: String) { forgotten.append(address) }

    /// Records the request.
    public func forgetKeys(of address: String) { log.append("forget the keys of \(address)") }

    /// Records the request, and signs out.
    public func use(_ address: String) {
        disconnect()
        log.append("use \(address)")
    }

    /// Sets the state.
    public func become(_ next: AccountState) {
        state = next
        onChange?()
    }
}
