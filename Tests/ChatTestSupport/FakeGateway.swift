// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A gateway to telephone numbers that records every request, and whose answers the test sets.
@MainActor
public final class FakeGateway: GatewayService {
    /// The gateway of the account; nil if there is none.
    public var found: ChatAddress?
    /// The addresses that the gateway assigns; other numbers get `+E164`.
    public var assigned: [String: ChatAddress] = [:]
    /// The error that requests fail with, or nil if they succeed.
    public var error: ChatServiceError?
    /// The numbers of the requests, in order.
    public private(set) var asked: [String] = []

    /// Creates an account without a gateway.
    public init() {}

    /// Parses text with a dot and without an at sign as a server, in lowercase.
    public func gateway(_ text: String) -> ChatAddress? {
        text.contains(".") && !text.contains("@") ? ChatAddress(text.lowercased()) : nil
    }
    /// Returns what the test has set.
    public func findGateway() async -> ChatAddress? { found }
    /// Records the request.
    public func address(of number: DialledNumber, at gateway: ChatAddress) async throws(ChatServiceError)
        -> ChatAddress
    {
        asked.append(number.text)
        if let error { throw error }
        return assigned[number.text] ?? ChatAddress("\(number.text)@\(gateway.text)")
    }
}
