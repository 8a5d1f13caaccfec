// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A message that belle-sip would read for seconds to minutes.
struct SlowMessage: CustomStringConvertible {
    let description: String
    /// The text in place of the target of a request; nil leaves it.
    var target: String?
    /// Fields beside those that each message has.
    var fields = ""

    /// Returns the message: a request, or if the target stays, also a response.
    func text(from request: String) -> String {
        var lines = request.components(separatedBy: "\r\n")
        if let target { lines[0] = "OPTIONS \(target) SIP/2.0" }
        lines.insert(contentsOf: fields.components(separatedBy: "\r\n").dropLast(), at: 2)
        return lines.joined(separator: "\r\n")
    }

    /// All of them.
    static let all = targets + addresses + lists

    private static func run(_ length: Int) -> String { String(repeating: "a", count: length) }

    private static let targets = [
        SlowMessage(
            description: "parameters of the target",
            target: "sip:alice@127.0.0.1" + repeated(";a=b", 1_500)),
        SlowMessage(
            description: "a value in the target", target: "sip:alice@127.0.0.1;a=" + run(6_000)),
        SlowMessage(description: "the host of the target", target: "sip:alice@" + run(6_000)),
        SlowMessage(description: "the user of the target", target: "sip:\(run(14_000))@127.0.0.1"),
    ]

    private static let addresses =
        ["Via", "v"].map { many($0, "SIP/2.0 403 " + run(650)) }
        + [
            many("Via", "SIP/2.0/UDP " + run(650)), many("Via", "SIP/2.0/UDP \(run(650))@"),
            many("Via", "SIP/2.0/UDP h.\(run(650))"),
            many("Via", "SIP/2.0/UDP " + repeated("aaaaaaaaaaaaaaa-", 40)),
        ]
        + [
            "Contact", "m", "Route", "Record-Route", "Service-Route", "Diversion", "P-Preferred-Identity",
            "Contact ",
        ].flatMap { name in
            [
                many(name, "<sip:x@\(run(650))>"), many(name, "<sip:x@\(run(650))@>"),
                many(name, "<sip:x@h.\(run(650))>"),
                many(name, "sip:" + run(650)), many(name, "<sip:x@\(String(repeating: "1", count: 650))>"),
            ]
        }
        + ["Authorization", "Proxy-Authorization"].map {
            SlowMessage(
                description: "the address in \($0)",
                fields: "\($0): Digest realm=\"a\", nonce=\"b\", uri=\"sip:\(run(8_000))\"\r\n")
        }

    private static let lists =
        [
            SlowMessage(
                description: "many contacts in a field",
                fields:
                    "Contact: \(Array(repeating: "<sip:x@\(run(650))>", count: 80).joined(separator: ","))\r\n"
            )
        ]
        + ["Supported", "Require", "Privacy", "User-Agent"].map {
            SlowMessage(description: "many words in \($0)", fields: "\($0): \(repeated("a ", 29_000))\r\n")
        }

    private static func many(_ name: String, _ value: String) -> SlowMessage {
        SlowMessage(
            description: "many \(name): \(value.prefix(20))", fields: repeated("\(name): \(value)\r\n", 80))
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }
}
