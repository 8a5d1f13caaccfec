// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A gateway to telephone numbers at a server: Tests/Tools/sms_gateway.py, or call_gateway.py.
public final class TelephoneGateway: @unchecked Sendable {  // `lock` guards all mutable state.
    private let child: Child
    private let lock = NSLock()
    private var said = ""

    /// The traffic that a gateway carries.
    public enum Kind: Sendable {
        /// Text messages, with addresses of its own or those of E.164.
        case texts, plainTexts
        case calls
    }

    /// Connects a gateway, and returns once it is online.
    ///
    /// - Parameters:
    ///   - domain: The domain, which the server's configuration must have as a component.
    ///   - server: The server.
    ///   - kind: What it carries.
    ///   - said: The closure to call after each output, on any thread.
    public init(
        _ domain: String, at server: any JabberServer, _ kind: Kind = .texts,
        said wake: @escaping @Sendable () -> Void
    ) throws {
        let program = kind == .calls ? "call_gateway.py" : "sms_gateway.py"
        child = try Child(
            [
                "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/\(program)", "\(server.componentPort)",
                domain,
            ] + (kind == .plainTexts ? ["plain"] : []))
        try child.waitForLine { $0 == "online" }
        child.output.readabilityHandler = { [weak self] handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            self?.lock.withLock { self?.said += text }
            wake()
        }
    }

    /// The events so far, as lines of JSON.
    public var events: [String] { lock.withLock { said.split(separator: "\n").map(String.init) } }

    /// Disconnects the gateway.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }
}
