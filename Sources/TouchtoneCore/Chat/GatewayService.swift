// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of an account that reaches telephone numbers through a gateway (XEP-0100).
@MainActor
public protocol GatewayService: AnyObject {
    /// Returns the normalized address of a gateway that a text names; nil if the text is not the address of a server.
    func gateway(_ text: String) -> ChatAddress?
    /// Returns the gateway of the account, and searches for it if it is not known yet; nil if there is none.
    ///
    /// A gateway that is found is also reported as an event. The search starts by itself after the sign-in.
    func findGateway() async -> ChatAddress?
    /// Requests the address of a number, which is in international form: `+` and digits.
    func address(of number: DialledNumber, at gateway: ChatAddress) async throws(ChatServiceError)
        -> ChatAddress
}
