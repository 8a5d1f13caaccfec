// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

@MainActor
final class XMLStream {
    let transport: Transport
    private let domain: String
    private var parser: XMLStreamParser
    private var arrived: [XMLStreamParser.Event] = []

    init(_ transport: Transport, domain: String) {
        self.transport = transport
        self.domain = domain
        parser = XMLStreamParser(limits: .beforeSignIn)
    }

    /// Opens or restarts the stream, under these limits from now on, and reads the server's features.
    ///
    /// - Parameter sender: The account to tell the server, if the stream is encrypted.
    func open(limits: XMLLimits, from sender: JID? = nil) async throws(XMPPError) -> StreamFeatures {
        start(limits: limits, from: sender)
        return try await features()
    }

    /// The limits of what the server may send from now on.
    var limits: XMLLimits {
        get { parser.limits }
        set { parser.limits = newValue }
    }

    /// Sends the start of the stream; `features()` reads the answer.
    func start(limits: XMLLimits, from sender: JID?) {
        parser = XMLStreamParser(limits: limits)
        arrived = []
        let attributes: KeyValuePairs = ["from": sender?.description, "to": domain, "version": "1.0"]
        // The root element stays open until the end of the stream, so its empty-element end is cut off.
        transport.write(
            "<?xml version='1.0'?>"
                + XMLElement("stream:stream", Namespace.client, attributes)
                .serialized().dropLast(2) + " xmlns:stream='\(Namespace.stream)' xml:lang='en'>")
    }

    func features() async throws(XMPPError) -> StreamFeatures {
        guard case .opened(let header) = try await event() else {
            throw fail(.notXMPP(localized("no stream")))
        }
        guard header.isNamed("stream", Namespace.stream), header["version"]?.hasPrefix("1.") == true else {
            throw fail(.notXMPP(localized("unsupported stream")))
        }
        let features = try await next()
        guard StreamFeatures.isNamed(features) else {
            throw fail(.notXMPP(localized("no features")))
        }
        return StreamFeatures(features)
    }

    enum Item {
        case element(XMLElement)
        /// The start tag of an element that exceeded a limit, and the limit.
        case skipped(XMLElement, limit: String)
    }

    /// - Throws: `XMPPError`, also at the end of the stream.
    func nextItem() async throws(XMPPError) -> Item {
        switch try await event() {
        case .opened: throw fail(.notXMPP(localized("nested stream")))
        case .closed: throw fail(.lost(localized("the server closed it")))
        case .skipped(let head, let limit): return .skipped(head, limit: limit)
        case .stanza(let element):
            if element.isNamed("error", Namespace.stream) { throw fail(ended(by: element)) }
            return .element(element)
        }
    }

    /// Reads the next element, and skips those that exceed a limit; throws at the end of the stream.
    func next() async throws(XMPPError) -> XMLElement {
        while true {
            if case .element(let element) = try await nextItem() { return element }
        }
    }

    func send(_ element: XMLElement) {
        transport.write(element.serialized(in: Namespace.client))
    }

    func sendEnd() { transport.write("</stream:stream>") }

    /// Starts TLS; unencrypted data after the permission is an attempt to inject stanzas before that.
    func startTLS(account: XMPPAccount, announces: Bool) async throws(XMPPError) {
        guard arrived.isEmpty, !parser.hasUnfinishedInput else {
            throw fail(.notXMPP(localized("data before TLS")))
        }
        try await transport.startTLS(
            domain: account.jid.domain, trust: account.trust, pin: account.pinnedCertificate,
            announces: announces)
    }

    func fail(_ error: XMPPError) -> XMPPError {
        transport.abort(error)
        return transport.failure ?? error
    }

    private func event() async throws(XMPPError) -> XMLStreamParser.Event {
        while arrived.isEmpty {
            // Everything that arrived before the error has been delivered by now.
            if let failure = parser.failure { throw fail(Self.error(for: failure)) }
            let bytes = try await transport.read()
            guard !bytes.isEmpty else { throw fail(.lost(localized("the server closed it"))) }
            do throws(XMLStreamError) {
                arrived = try parser.parse(bytes)
            } catch {
                throw fail(Self.error(for: error))
            }
        }
        return arrived.removeFirst()
    }

    private static func error(for error: XMLStreamError) -> XMPPError {
        switch error {
        case .malformed(let reason): .notXMPP(reason)
        case .restricted(let what): .notXMPP(localized("it contains {item}", ["item": what]))
        case .tooLarge(let what): .tooLarge(what)
        }
    }

    private func ended(by error: XMLElement) -> XMPPError {
        // Before TLS, anyone on the network path can send this.
        guard transport.isSecure else { return .interrupted }
        let parts = error.children.filter { $0.namespace == Namespace.streamErrors }
        let condition = parts.first { $0.name != "text" }?.name ?? "undefined-condition"
        if condition == "conflict" { return .replaced }
        let text = (parts.first { $0.name == "text" }?.text).map { PlainText.line($0) }
        return .ended(condition: PlainText.line(condition), text: text ?? "")
    }
}

struct StreamFeatures: Sendable {
    private let element: XMLElement

    init(_ element: XMLElement) { self.element = element }

    static func isNamed(_ element: XMLElement) -> Bool { element.isNamed("features", Namespace.stream) }

    /// The element as a text, in which all namespaces are declared.
    var serialized: String { element.serialized() }

    /// The offer to sign in and to bind a resource in one step; nil if there is none.
    var extended: SASL2Offer? { SASL2Offer(element) }

    var hasTLS: Bool { element.child("starttls", Namespace.tls) != nil }
    var hasBind: Bool { element.child("bind", Namespace.bind) != nil }
    var hasManagement: Bool { element.child("sm", Namespace.management) != nil }
    var hasClientState: Bool { element.child("csi", Namespace.clientState) != nil }

    /// Whether the server takes the token of an invitation to make an account (XEP-0445, XEP-0401).
    var takesInvitations: Bool {
        ["urn:xmpp:ibr-token:0", "urn:xmpp:invite"].contains { element.child("register", $0) != nil }
    }

    /// Whether the server supports roster versions (RFC 6121 section 2.6).
    var hasRosterVersions: Bool { element.child("ver", "urn:xmpp:features:rosterver") != nil }
    /// Whether a subscription can be approved before the buddy requests it (RFC 6121 section 3.4).
    var hasPreapproval: Bool { element.child("sub", "urn:xmpp:features:pre-approval") != nil }

    var mechanisms: [String] {
        element.child("mechanisms", Namespace.sasl)?.children("mechanism").map(\.text) ?? []
    }

    /// The names of the channel bindings (XEP-0440); nil if the server does not list them.
    var bindings: [String]? {
        element.child("sasl-channel-binding", Namespace.bindings)?.children("channel-binding").compactMap {
            $0["type"]
        }
    }
}
