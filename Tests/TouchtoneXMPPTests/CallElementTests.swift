// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import SIPMessages
import Testing

@testable import TouchtoneXMPP

/// Tests of the elements of calls: messages (XEP-0353), and contents of sessions (XEP-0167, XEP-0176, XEP-0320).
@Suite struct CallElementTests {
    private let example: MediaDescription

    init() throws { example = try .example() }

    @Test(arguments: [
        CallMessage.Content.propose(media: ["audio"]), .propose(media: ["audio", "video"]), .ringing,
        .proceed,
        .accept, .reject(.busy), .reject(nil), .retract(.cancel), .finish(.success),
    ])
    func messageIsReadAsItIsWritten(_ content: CallMessage.Content) {
        let message = CallMessage(content, id: "7c1e")
        #expect(CallMessage(message.element) == message)
    }

    @Test func messageWithoutIdentifierOrWithAHugeOneIsIgnored() {
        for id in [nil, "", String(repeating: "x", count: 10_000)] {
            #expect(CallMessage(XMLElement("propose", CallMessage.namespace, ["id": id])) == nil)
        }
        #expect(CallMessage(XMLElement("unknown", CallMessage.namespace, ["id": "1"])) == nil)
        #expect(CallMessage(XMLElement("propose", "urn:other", ["id": "1"])) == nil)
    }

    @Test func contentIsReadAsItIsWritten() throws {
        let content = AudioContent.content("0", example)
        #expect(try AudioContent.read(content, roles: [.either]) == example)
    }

    /// As libwebrtc, Dino and gateways write it.
    @Test func staticFormatsNeedNoName() throws {
        var content = AudioContent.content("0", example)
        content.editDescription { description in
            description.removeChildren { $0.name == "payload-type" }
            description.append(XMLElement("payload-type", AudioContent.namespace, ["id": "8"]))
            description.append(
                XMLElement(
                    "payload-type", AudioContent.namespace, ["id": "0", "name": "pcmu", "clockrate": "8000"]))
        }
        let media = try AudioContent.read(content, roles: [.either])
        #expect(media.formats.map(\.name) == ["PCMA", "pcmu"])
        #expect(media.formats.map(\.rate) == [8_000, 8_000])
    }

    @Test func opusHasTwoChannels() throws {
        var content = AudioContent.content("0", example)
        content.editDescription { description in
            description.removeChildren { $0.name == "payload-type" }
            for name in ["OPUS", "opus", "SPEEX"] {
                description.append(
                    XMLElement(
                        "payload-type", AudioContent.namespace,
                        ["id": "96", "name": name, "clockrate": "48000"]))
            }
        }
        let formats = try AudioContent.read(content, roles: [.either]).formats
        #expect(formats.map(\.channels) == [2, 2, 1])
    }

    /// Only an offer leaves the role open, and only an answer chooses it (RFC 8842).
    @Test func roleOfTheOtherKindIsRefused() {
        #expect(throws: AudioContent.Fault.notEncrypted) {
            try AudioContent.read(AudioContent.content("0", example), roles: [.client, .server])
        }
    }

    /// Without encryption, only where that is allowed, and only without any word of it.
    @Test func missingCertificateIsAllowedByTheUserAlone() throws {
        let plain = try MediaDescription.example(isEncrypted: false)
        let content = AudioContent.content("0", plain)
        #expect(content.child("transport", AudioContent.ice)?.child("fingerprint", AudioContent.dtls) == nil)
        #expect(throws: AudioContent.Fault.notEncrypted) {
            try AudioContent.read(content, roles: [.either])
        }
        #expect(try AudioContent.read(content, roles: [.either], allowsPlain: true) == plain)
        // It stays encrypted, and one that cannot be read is no missing one.
        let encrypted = AudioContent.content("0", example)
        #expect(try AudioContent.read(encrypted, roles: [.either], allowsPlain: true) == example)
        let spoilt: [(inout XMLElement) -> Void] = [
            { $0["hash"] = "md5" }, { $0["setup"] = nil }, { $0["setup"] = "active" }, { $0.nodes = [] },
        ]
        for edit in spoilt {
            #expect(throws: AudioContent.Fault.notEncrypted) {
                try AudioContent.read(transported(edit), roles: [.either], allowsPlain: true)
            }
        }
        // Of an earlier version of the protocol, or known from before.
        var other = content
        other.editTransport { $0.append(XMLElement("fingerprint", "urn:xmpp:tmp:jingle:apps:dtls:0")) }
        #expect(throws: AudioContent.Fault.notEncrypted) {
            try AudioContent.read(other, roles: [.either], allowsPlain: true)
        }
        let known = (try #require(example.fingerprint), MediaDescription.Role.either)
        #expect(
            try AudioContent.read(content, roles: [.either], known: known, allowsPlain: true).isEncrypted)
    }

    /// Keys in the session’s own words (SDES) are none for this phone.
    @Test(arguments: ["true", "1", "false"]) func requiredEncryptionOfAnotherKindIsRefused(
        _ isRequired: String
    ) throws {
        var content = AudioContent.content("0", try .example(isEncrypted: false))
        content.editDescription {
            $0.append(XMLElement("encryption", AudioContent.namespace, ["required": isRequired]))
        }
        let media = try? AudioContent.read(content, roles: [.either], allowsPlain: true)
        #expect((media == nil) == (isRequired != "false"))
    }

    @Test(arguments: ["video", "", "AUDIO"])
    func otherMediaAreRefused(_ media: String) {
        var content = AudioContent.content("0", example)
        content.editDescription { $0["media"] = media }
        #expect(throws: AudioContent.Fault.notSound) { try AudioContent.read(content, roles: [.either]) }
    }

    @Test(arguments: ["md5", "sha-1", "", "sha-512"])
    func weakOrWrongHashIsRefused(_ hash: String) {
        #expect(throws: AudioContent.Fault.notEncrypted) {
            try AudioContent.read(transported { $0["hash"] = hash }, roles: [.either])
        }
    }

    /// Texts reach a session description: a line’s end would begin another one.
    @Test func spoiltTextsAreRefused() {
        for spoilt in ["9f2c\r\na=x:1", "9f", "a b c d", String(repeating: "a", count: 1_000), "9f2c\u{0}"] {
            var content = AudioContent.content("0", example)
            content.editTransport { $0["ufrag"] = spoilt }
            #expect(throws: AudioContent.Fault.noTransport) {
                try AudioContent.read(content, roles: [.either])
            }
            #expect(MediaDescription.Format(96, spoilt + "/", rate: 48_000) == nil)
            #expect(MediaDescription.Parameter("x", spoilt + ";\n") == nil)
        }
    }

    @Test func uselessCandidatesAreDropped() throws {
        var content = AudioContent.content("0", example)
        let good = [
            "component": "1", "protocol": "UDP", "foundation": "1", "priority": "1", "ip": "192.0.2.1",
        ]
        .merging(["port": "4000", "type": "host"]) { $1 }
        let spoilt: [[String: String]] = [
            ["ip": "host.local"], ["ip": "fe80::1"], ["ip": "0.0.0.0"], ["ip": "224.0.0.1"], ["ip": "::"],
            ["ip": "169.254.1.1"], ["port": "0"], ["port": "70000"], ["component": "2"], ["protocol": "tcp"],
            ["priority": "-1"], ["priority": "99999999999"], ["foundation": "a b"], ["type": "other"],
            ["ip": "192.0.2.1\r\na=x"],
        ]
        content.editTransport { transport in
            transport.removeChildren { $0.name == "candidate" }
            for change in spoilt + [[:]] {
                var element = XMLElement("candidate", AudioContent.ice)
                for (name, value) in good.merging(change, uniquingKeysWith: { $1 }) { element[name] = value }
                transport.append(element)
            }
        }
        let candidates = try AudioContent.read(content, roles: [.either]).candidates
        #expect(candidates.map(\.address) == ["192.0.2.1"])
    }

    @Test func manyCandidatesAndFormatsAreBounded() throws {
        var content = AudioContent.content("0", example)
        content.editTransport { transport in
            for port in 1...5_000 {
                transport.append(
                    XMLElement(
                        "candidate", AudioContent.ice,
                        [
                            "component": "1", "protocol": "udp", "foundation": "1", "priority": "1",
                            "ip": "192.0.2.1", "port": "\(port)", "type": "host",
                        ]))
            }
        }
        content.editDescription { description in
            for number in 0...5_000 {
                description.append(
                    XMLElement(
                        "payload-type", AudioContent.namespace,
                        ["id": "\(number)", "name": "x", "clockrate": "8000"]))
            }
        }
        var media = try AudioContent.read(content, roles: [.either])
        #expect(media.candidates.count == MediaDescription.maximumCandidates)
        #expect(media.formats.count <= MediaDescription.maximumFormats)
        media.add(media.candidates)
        #expect(media.candidates.count == MediaDescription.maximumCandidates)
    }

    private func transported(_ edit: (inout XMLElement) -> Void) -> XMLElement {
        var content = AudioContent.content("0", example)
        content.editTransport { transport in
            transport.editChild("fingerprint") { edit(&$0) }
        }
        return content
    }
}

extension XMLElement {
    fileprivate mutating func editChild(_ name: String, _ edit: (inout XMLElement) -> Void) {
        nodes = nodes.map { node in
            guard case .element(var child) = node, child.name == name else { return node }
            edit(&child)
            return .element(child)
        }
    }

    fileprivate mutating func editTransport(_ edit: (inout XMLElement) -> Void) {
        editChild("transport", edit)
    }

    fileprivate mutating func editDescription(_ edit: (inout XMLElement) -> Void) {
        editChild("description", edit)
    }
}
