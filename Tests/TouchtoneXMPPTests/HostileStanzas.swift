// SPDX-License-Identifier: GPL-3.0-or-later

@testable import TouchtoneXMPP

/// Stanzas that no honest client sends, and that servers relay.
enum HostileStanzas {
    /// A kind of stanza: its name, and a function that returns it for an address.
    struct Kind: Sendable {
        let name: String
        let make: @Sendable (JID) -> XMLElement
    }

    /// All kinds; each message has a text, so that archives store it.
    static let all =
        shapes + lengths + namespaces + characters + addresses + dates + encodings + counters + kinds

    /// The kinds that ejabberd rejects as malformed: its parser accepts no line feed in a namespace.
    static let refusedByEjabberd = ["\n", "a\nb"].flatMap { namespace in
        ["element", "attribute"].map { "an \($0) in \(namespace.debugDescription)" }
    }

    // MARK: - Too many, too deep, too wide, too long

    private static let shapes: [Kind] =
        [65, 1000, 8000].flatMap { count in
            [
                message("\(count) attributes of an extension", [many(count, of: XMLElement("x", "urn:x"))]),
                Kind(name: "\(count) attributes of a message") { many(count, of: basic($0)) },
                Kind(name: "\(count) attributes of a body") { to in
                    var stanza = Message(to: to).element
                    stanza.append(many(count, of: XMLElement("body", client, text: "x")))
                    return stanza
                },
            ]
        }
        + [61, 62, 115, 1000].map { message("\($0) levels", [nested($0)]) }
        + [1000, 5000].map { message("\($0) children", [wide($0)]) }
        + [
            message("1000 bodies", Array(repeating: XMLElement("body", client, text: "y"), count: 1000)),
            message("1000 extensions", (0..<1000).map { XMLElement("x\($0)", "urn:x\($0)") }),
            message("many in many", (0..<40).map { _ in nested(40) }),
            message("attributes in each", (0..<300).map { _ in many(60, of: XMLElement("x", "urn:x")) }),
        ]

    private static let lengths: [Kind] =
        [100_000, 1_000_000].map { count in
            Kind(name: "a body of \(count)") { Message(to: $0, body: text(count)).element }
        }
        + [10_000, 130_000, 300_000].flatMap { count in
            [
                message("an attribute of \(count)", [XMLElement("x", "urn:x", ["a": text(count)])]),
                message("a name of \(count)", [XMLElement(text(count), "urn:x")]),
                message("a namespace of \(count)", [XMLElement("x", text(count))]),
                message("a text of \(count)", [XMLElement("x", "urn:x", text: text(count))]),
                Kind(name: "an id of \(count)") { Message(to: $0, id: text(count), body: "x").element },
            ]
        }
        + ["subject", "thread"].map { name in
            message("a \(name) of 300000", [XMLElement(name, client, text: text(300_000))])
        }

    // MARK: - Namespaces and characters

    private static let namespaces: [Kind] =
        [
            "", " ", "\n", "a\nb", "a\tb", "\r", "'", "\"", "<&>", "ü", "\u{202E}", "jabber:server",
            "jabber:client",
            "urn:xmpp:sm:3", "http://etherx.jabber.org/streams", "urn:ietf:params:xml:ns:xmpp-sasl",
            "http://www.w3.org/1999/xhtml", ":", "{x}", "javascript:x", "\u{10FFFF}",
        ].flatMap { namespace in
            [
                message("an element in \(namespace.debugDescription)", [XMLElement("error", namespace)]),
                message(
                    "an attribute in \(namespace.debugDescription)",
                    [attribute(in: namespace.isEmpty ? "urn:y" : namespace), unkept]),
            ]
        }

    private static let characters: [Kind] = [
        "", " ", "\n", String(repeating: "\n", count: 50_000), String(repeating: "e\u{301}", count: 10_000),
        "a" + String(repeating: "\u{301}", count: 5000), String(repeating: "👩‍👩‍👧", count: 10_000),
        String(repeating: "\u{202E}", count: 1000), "\u{FEFF}", "\u{1FFFE}\u{10FFFF}",
        "\u{85}\u{2028}\u{2029}",
        "\u{7F}\u{9F}", "]]>", "<![CDATA[x]]>", "&amp;&#0;", "\r\r\n\t",
        String(repeating: "\u{FDFA}", count: 20_000),
        String(repeating: "http://", count: 10_000), String(repeating: ":)", count: 10_000),
        String(repeating: "+1", count: 20_000), "\u{E000}\u{F8FF}",
    ].enumerated().map { index, text in
        Kind(name: "text \(index)") { Message(to: $0, body: text).element }
    }

    // MARK: - Values

    private static let wrongAddresses = [
        "", "@", "a@", "@b", "a@@b", " ", "a b@c", "a@b/" + text(2000), text(2000) + "@b", "a@[::1",
        "a@b@c/d/e",
        "\u{202E}@b", "a@.", "a@b..c", "<a>@b", "a@\u{FFFD}", "a@b/\u{200B}",
    ]

    private static let addresses: [Kind] = wrongAddresses.enumerated().flatMap { index, address in
        [
            message("a delay by address \(index)", [delay("2026-01-02T03:04:05Z", by: address)]),
            message(
                "a name by address \(index)",
                [XMLElement("stanza-id", "urn:xmpp:sid:0", ["by": address, "id": "forged"])]),
            message("a copy from address \(index)", [forwarded(from: address)]),
        ]
    }

    private static let dates: [Kind] = [
        "", "now", "2026", "2026-01-02", "0000-00-00T00:00:00Z", "9999-12-31T23:59:59Z",
        "10000-01-01T00:00:00Z",
        "-1-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T25:61:61Z", "2026-01-01T00:00:00+99:99",
        "2026-01-01T00:00:00.999999999999999999999999Z", "2016-12-31T23:59:60Z", text(10_000),
        "1500-01-01T00:00:00Z",
    ].enumerated().map { index, date in message("date \(index)", [delay(date, by: "localhost")]) }

    private static let encodings: [Kind] = [
        "", "=", "====", "A", "AAA=A", "!!!!", "QUJD\nQUJD", "QQ==QQ==", "ü", text(200_000),
    ].enumerated().flatMap { index, data in
        [
            message("data \(index)", [XMLElement("data", "urn:xmpp:bob", ["cid": data], text: data)]),
            Kind(name: "presence with hash \(index)") { to in
                Presence(
                    to: to,
                    extensions: [
                        XMLElement(
                            "x", "vcard-temp:x:update", [:],
                            [XMLElement("photo", "vcard-temp:x:update", text: data)]),
                        XMLElement(
                            "c", "http://jabber.org/protocol/caps",
                            ["hash": "sha-1", "node": "x", "ver": data]),
                    ]
                ).element
            },
        ]
    }

    private static let counters: [Kind] = [
        "", "-1", "128", "-129", "1e9", "NaN", "99999999999999999999", "１２", " 1", "+1", "0x10", text(10_000),
    ].enumerated().flatMap { index, number in
        [
            Kind(name: "priority \(index)") { to in
                XMLElement(
                    "presence", client, ["to": to.description],
                    [
                        XMLElement("priority", client, text: number),
                        XMLElement("show", client, text: number),
                        XMLElement("status", client, text: number),
                    ])
            },
            message(
                "a picture of size \(index)",
                [
                    event(
                        "urn:xmpp:avatar:metadata",
                        XMLElement(
                            "metadata", "urn:xmpp:avatar:metadata", [:],
                            [
                                XMLElement(
                                    "info", "urn:xmpp:avatar:metadata",
                                    ["id": number, "bytes": number, "width": number, "type": "image/png"])
                            ]))
                ]),
            message(
                "a mark at \(index)",
                [
                    event(
                        "urn:xmpp:mds:displayed:0",
                        XMLElement(
                            "displayed", "urn:xmpp:mds:displayed:0", [:],
                            [XMLElement("stanza-id", "urn:xmpp:sid:0", ["by": number, "id": number])]))
                ]),
        ]
    }

    // MARK: - Kinds

    private static let kinds: [Kind] =
        ["groupchat", "headline", "normal", "bogus", text(10_000)].map { type in
            Kind(name: "a message of type \(String(type.prefix(9)))") { to in
                var stanza = basic(to)
                stanza["type"] = type
                return stanza
            }
        }
        + [
            "http://jabber.org/protocol/muc#user", "jabber:x:conference", "urn:xmpp:message-correct:0",
            "urn:xmpp:receipts", "urn:xmpp:chat-markers:0", "urn:xmpp:mam:2", "urn:xmpp:carbons:2",
            "http://jabber.org/protocol/pubsub#event", "http://jabber.org/protocol/chatstates",
            "urn:xmpp:eme:0", "jabber:x:oob", "urn:xmpp:forward:0", "urn:xmpp:reactions:0",
            "urn:xmpp:message-retract:1", "urn:xmpp:message-retract:0", "urn:xmpp:fasten:0",
            "urn:xmpp:message-moderate:0", "urn:xmpp:omemo:2", "urn:xmpp:openpgp:0", "jabber:x:encrypted",
            "urn:xmpp:spoiler:0",
        ].flatMap { namespace in
            [
                message(
                    "empty of \(namespace)",
                    [
                        "x", "result", "replace", "sent", "received", "displayed", "event", "active",
                        "forwarded", "reactions", "retract", "retracted", "apply-to", "moderated",
                    ]
                    .map { XMLElement($0, namespace) }),
                message(
                    "endless of \(namespace)",
                    ["x", "result", "replace", "received", "displayed", "reactions", "retract", "apply-to"]
                        .map {
                            XMLElement($0, namespace, ["id": text(20_000), "queryid": "x"], text: "x")
                        }),
            ]
        }
        + [
            "http://127.0.0.1/", "https://127.0.0.1/", "file:///etc/passwd", "https://[", "https://a@b/",
            "\u{202e}",
            "https://a/" + text(20_000), "",
        ].map { url in
            let child = XMLElement("url", "jabber:x:oob", text: url)
            return message(
                "a file at \(String(url.prefix(12)))", [XMLElement("x", "jabber:x:oob", [:], [child])])
        }
        + [
            (5000, "0", "7"), (5000, "-1", "9223372036854775808"), (5000, "7", "0"), (1, "NaN", text(10_000)),
        ].map { count, start, end in
            let range = XMLElement("body", "urn:xmpp:fallback:0", ["start": start, "end": end])
            return message(
                "\(count) fallbacks from \(start)",
                [
                    XMLElement("reply", "urn:xmpp:reply:0", ["id": text(10_000), "to": text(10_000)]),
                    XMLElement(
                        "encryption", "urn:xmpp:eme:0", ["namespace": text(10_000), "name": "\u{202E}"]),
                    XMLElement(
                        "fallback", "urn:xmpp:fallback:0", ["for": "urn:x"],
                        Array(repeating: range, count: count)),
                ])
        }
        + [text(200_000), "", "\u{202E}\n\n"].map { hint in
            let spoiler = XMLElement("spoiler", "urn:xmpp:spoiler:0", text: hint)
            return message(
                "spoilers of \(hint.utf8.count)", Array(repeating: spoiler, count: hint.isEmpty ? 5000 : 1))
        }
        + [text(300_000), "", "\u{202E}"].map { payload in
            let namespace = "eu.siacs.conversations.axolotl"
            let keys = (0..<2000).map { XMLElement("key", namespace, ["rid": "\($0)"], text: "x") }
            return message(
                "2000 keys and \(payload.utf8.count) encrypted bytes",
                [
                    XMLElement(
                        "encrypted", namespace, [:],
                        [
                            XMLElement("header", namespace, ["sid": text(5000)], keys),
                            XMLElement("payload", namespace, text: payload),
                            XMLElement("payload", namespace, [:], [nested(30)]),
                        ])
                ])
        }
        + ["m", text(20_000)].flatMap { id in
            [
                message(
                    "5000 reactions to \(id.prefix(9))",
                    [
                        XMLElement(
                            "reactions", "urn:xmpp:reactions:0", ["id": id],
                            (0..<5000).map { XMLElement("reaction", "urn:xmpp:reactions:0", text: "\($0)") })
                    ]),
                message(
                    "a moderation of \(id.prefix(9))",
                    [
                        XMLElement(
                            "retract", "urn:xmpp:message-retract:1", ["id": id],
                            [
                                XMLElement("moderated", "urn:xmpp:message-moderate:1", ["by": id]),
                                XMLElement("reason", "urn:xmpp:message-retract:1", text: text(50_000)),
                            ])
                    ]),
            ]
        }
        + [
            "jabber:iq:roster", "urn:xmpp:blocking", "urn:xmpp:ping", "jabber:iq:gateway",
            "http://jabber.org/protocol/disco#info",
        ]
        .flatMap {
            namespace in
            ["get", "set"].map { (type: String) in
                Kind(name: "a question \(type) of \(namespace)") { to in
                    XMLElement(
                        "iq", client, ["type": type, "id": text(5000), "to": to.description],
                        [XMLElement("query", namespace, ["node": text(50_000)], [nested(30)])])
                }
            }
        }
        + [
            Kind(name: "a question over the limit") { to in
                XMLElement(
                    "iq", client, ["type": "get", "id": "1", "to": to.description],
                    [many(1000, of: XMLElement("query", "urn:x"))])
            },
            Kind(name: "an answer over the limit") { to in
                XMLElement("iq", client, ["type": "result", "id": "1", "to": to.description], [nested(200)])
            },
            Kind(name: "an answer that nobody asked for") { to in
                XMLElement("iq", client, ["type": "error", "id": "1", "to": to.description])
            },
            Kind(name: "a presence over the limit") { many(1000, of: Presence(to: $0).element) },
            Kind(name: "words of 300000") { Presence(to: $0, status: text(300_000)).element },
        ]

    // MARK: - Parts

    private static let client = "jabber:client"

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func basic(_ to: JID) -> XMLElement { Message(to: to, body: "hostile").element }

    private static func message(_ name: String, _ extensions: [XMLElement]) -> Kind {
        Kind(name: name) { to in
            var stanza = basic(to)
            for element in extensions { stanza.append(element) }
            return stanza
        }
    }

    private static func many(_ count: Int, of element: XMLElement) -> XMLElement {
        var element = element
        for number in 0..<count { element.attributes.append(XMLElement.Attribute("a\(number)", value: "1")) }
        return element
    }

    private static func nested(_ levels: Int) -> XMLElement {
        (0..<levels).reduce(XMLElement("x", "urn:x")) { inner, _ in XMLElement("x", "urn:x", [:], [inner]) }
    }

    private static func wide(_ count: Int) -> XMLElement {
        XMLElement("x", "urn:x", [:], Array(repeating: XMLElement("y", "urn:x"), count: count))
    }

    private static func attribute(in namespace: String) -> XMLElement {
        var element = XMLElement("x", "urn:x")
        element.attributes.append(XMLElement.Attribute("y", namespace: namespace, value: "1"))
        return element
    }

    /// Excludes a message from archives, because Prosody's fails at an attribute of an unusual namespace.
    private static let unkept = XMLElement("no-store", "urn:xmpp:hints")

    private static func delay(_ stamp: String, by address: String) -> XMLElement {
        XMLElement("delay", "urn:xmpp:delay", ["from": address, "stamp": stamp])
    }

    private static func forwarded(from address: String) -> XMLElement {
        XMLElement(
            "forwarded", "urn:xmpp:forward:0", [:],
            [
                XMLElement(
                    "message", client, ["from": address, "to": address],
                    [XMLElement("body", client, text: "forged")])
            ])
    }

    private static func event(_ node: String, _ payload: XMLElement) -> XMLElement {
        let namespace = "http://jabber.org/protocol/pubsub#event"
        return XMLElement(
            "event", namespace, [:],
            [
                XMLElement(
                    "items", namespace, ["node": node],
                    [XMLElement("item", namespace, ["id": text(10_000)], [payload])])
            ])
    }
}
