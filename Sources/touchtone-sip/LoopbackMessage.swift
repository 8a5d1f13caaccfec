// SPDX-License-Identifier: GPL-3.0-or-later

/// A SIP message of liblinphone to the endpoint of this process, or back (RFC 3261).
struct LoopbackMessage {
    private let startLine: String
    private let fields: [(name: String, value: String)]
    let body: String

    /// Reads a datagram; nil if it is no message.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(of: ""), end > 0 else { return nil }
        startLine = String(lines[0])
        fields = lines[1..<end].compactMap { line in
            line.firstIndex(of: ":").map { colon in
                (
                    line[..<colon].lowercased(),
                    String(line[line.index(after: colon)...].drop { $0 == " " })
                )
            }
        }
        body = lines[(end + 1)...].joined(separator: "\r\n")
    }

    /// The method of a request; nil for a response.
    var method: String? {
        isResponse ? nil : startLine.split(separator: " ").first.map(String.init)
    }

    /// The status of a response; nil for a request.
    var status: Int? {
        let words = startLine.split(separator: " ")
        return isResponse && words.count > 1 ? Int(words[1]) : nil
    }

    /// The user of the address to which a request goes.
    var calledUser: String? {
        let words = startLine.split(separator: " ")
        guard !isResponse, words.count == 3, words[1].hasPrefix("sip:") else { return nil }
        return words[1].dropFirst("sip:".count).split(separator: "@").first.map(String.init)
    }

    /// Returns the value of a field; empty if there is none.
    func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

    /// The number of the request, and its method.
    var sequence: (number: Int, method: String) {
        let words = field("cseq").split(separator: " ")
        return (words.first.flatMap { Int($0) } ?? 0, words.last.map(String.init) ?? "")
    }

    private var isResponse: Bool { startLine.hasPrefix("SIP/2.0 ") }

    /// Writes a message.
    static func text(_ startLine: String, _ fields: [(String, String)], session: String = "") -> String {
        let type = session.isEmpty ? [] : [("Content-Type", "application/sdp")]
        let all = fields + type + [("Content-Length", "\(session.utf8.count)")]
        return startLine + "\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n" + session
    }

    /// Writes a response to this request.
    func response(_ status: Int, tag: String, contact: String, session: String = "") -> String {
        let to = field("to")
        return Self.text(
            "SIP/2.0 \(status) -",
            [
                ("Via", field("via")), ("From", field("from")),
                ("To", to.contains("tag=") || status == 100 ? to : "\(to);tag=\(tag)"),
                ("Call-ID", field("call-id")), ("CSeq", field("cseq")), ("Contact", contact),
            ], session: session)
    }
}
