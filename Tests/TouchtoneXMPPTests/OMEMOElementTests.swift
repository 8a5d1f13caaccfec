// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the elements of XEP-0384 version 0.3, also malformed ones.
@Suite struct OMEMOElementTests {
    private static let key = [5] + [UInt8](repeating: 7, count: 32)

    private static func sealed(payload: [UInt8]? = [1, 2, 3]) -> SealedMessage {
        SealedMessage(
            device: 27183,
            keys: [
                SealedMessage.Key(device: 1, bytes: [1], isPreKey: true),
                SealedMessage.Key(device: 0x7FFF_FFFF, bytes: [2, 3], isPreKey: false),
            ], vector: [UInt8](repeating: 9, count: 12), payload: payload)
    }

    private static func bundle() throws -> KeyBundle {
        try #require(
            KeyBundle(
                identityKey: key, signedPreKeyID: 3, signedPreKey: key,
                signature: [UInt8](repeating: 1, count: 64),
                preKeys: (1...100).map { KeyBundle.PreKey(id: $0, key: key) }))
    }

    /// Returns an element as it comes from the stream.
    private func read(_ element: XMLElement) throws -> XMLElement {
        try XMLElementTests.read(element.serialized(in: Namespace.client))
    }

    private func items(_ payload: XMLElement, id: String = "current") -> [PubSub.Item] {
        [PubSub.Item(id: id, payload: payload)]
    }

    @Test(arguments: [[1, 2, 3], nil] as [[UInt8]?]) func ownMessageIsRead(_ payload: [UInt8]?) throws {
        let sealed = Self.sealed(payload: payload)
        let elements = OMEMO.elements(of: sealed)
        #expect(SealedMessage(try read(elements[0])) == sealed)
        // A message that only exchanges keys is not marked as one to read.
        #expect(elements.contains { $0.namespace == ExplicitEncryption.namespace } == (payload != nil))
        #expect(elements.last?.isNamed("store", "urn:xmpp:hints") == true)
        // python-omemo takes any value of the attribute for a session’s first message.
        let keys = elements[0].child("header")?.children("key") ?? []
        #expect(keys.map { $0["prekey"] } == ["true", nil])
    }

    @Test func ownKeysAreRead() throws {
        let bundle = try Self.bundle()
        #expect(OMEMO.bundle(in: items(try read(OMEMO.element(of: bundle)))) == bundle)
        #expect(OMEMO.devices(in: items(try read(OMEMO.list([3, 1])))) == [3, 1])
        #expect(OMEMO.devices(in: items(OMEMO.list([]))) == [])
    }

    @Test func currentItemCounts() throws {
        let items =
            items(OMEMO.list([1]), id: "old") + items(OMEMO.list([2])) + items(OMEMO.list([3]), id: "x")
        #expect(OMEMO.devices(in: items) == [2])
        #expect(OMEMO.devices(in: items.filter { $0.id != "current" }) == [3])
    }

    @Test(
        arguments: [
            ("-1", []), ("0", []), ("2147483648", []), ("4294967297", []), ("", []), ("x", []),
            ("1' x='2", []),
            ("2147483647", [2_147_483_647]), ("007", [7]),
        ] as [(String, [UInt32])])
    func numbersOfDevicesAreChecked(_ text: String, _ devices: [UInt32]) {
        let list = XMLElement(
            "list", OMEMO.namespace, [:], [XMLElement("device", OMEMO.namespace, ["id": text])])
        #expect(OMEMO.devices(in: items(list)) == devices)
    }

    @Test func longListsAreCut() throws {
        let list = OMEMO.list((1...100_000).map { UInt32($0) } + [1, 1])
        #expect(OMEMO.devices(in: items(list))?.count == OMEMO.maximumDevices)
        #expect(OMEMO.devices(in: items(OMEMO.list([5, 5, 5]))) == [5])
        #expect(OMEMO.devices(in: items(XMLElement("list", "urn:xmpp:omemo:2"))) == nil)
        #expect(OMEMO.devices(in: []) == nil)
        // Keys, too.
        let bundle = try Self.bundle()
        var element = OMEMO.element(of: bundle)
        let preKey = XMLElement(
            "preKeyPublic", OMEMO.namespace, ["preKeyId": "1"], text: Base64.encode(Self.key))
        element.removeChildren { $0.name == "prekeys" }
        element.append(XMLElement("prekeys", OMEMO.namespace, [:], Array(repeating: preKey, count: 10_000)))
        #expect(OMEMO.bundle(in: items(element))?.preKeys.count == KeyBundle.maximumPreKeys)
    }

    @Test(arguments: ["signedPreKeyPublic", "signedPreKeySignature", "identityKey", "prekeys"])
    func incompleteKeysAreRefused(_ name: String) throws {
        var element = OMEMO.element(of: try Self.bundle())
        element.removeChildren { $0.name == name }
        #expect(OMEMO.bundle(in: items(element)) == nil)
        for text in ["", "====", "AAAA", Base64.encode([UInt8](repeating: 5, count: 34)), "BQ==\u{0}"] {
            var wrong = element
            wrong.append(XMLElement(name, OMEMO.namespace, ["signedPreKeyId": "1"], text: text))
            #expect(OMEMO.bundle(in: items(wrong)) == nil, "\(text)")
        }
    }

    @Test func malformedMessagesAreRefused() throws {
        func message(_ header: String, _ payload: String = "<payload>AQID</payload>") throws -> SealedMessage?
        {
            SealedMessage(
                try XMLElementTests.read(
                    "<encrypted xmlns='\(OMEMO.namespace)'>\(header)\(payload)</encrypted>"))
        }
        let vector = "<iv>\(Base64.encode([UInt8](repeating: 1, count: 12)))</iv>"
        #expect(try message("<header sid='1'>\(vector)</header>") != nil)
        #expect(try message("<header sid='1'/>", "")?.payload == nil)
        for wrong in [
            "", "<header/>", "<header sid='0'>\(vector)</header>", "<header sid='-1'>\(vector)</header>",
            "<header sid='4294967295'>\(vector)</header>", "<header sid='1'/>",
            "<header sid='1'><iv>AQ==</iv></header>", "<header sid='1'><iv>?</iv></header>",
        ] { #expect(try message(wrong) == nil, "\(wrong)") }
        #expect(try message("<header sid='1'>\(vector)</header>", "<payload>?</payload>") == nil)
        let keys = (1...2000).map { "<key rid='\($0)'>AQ==</key>" }.joined()
        let long = "<key rid='9'>\(Base64.encode([UInt8](repeating: 1, count: 5000)))</key>"
        #expect(
            try message("<header sid='1'>\(keys)\(vector)</header>")?.keys.count == OMEMO.maximumDevices)
        #expect(
            try message("<header sid='1'>\(long)<key rid='x'>AQ==</key><key/>\(vector)</header>")?.keys == [])
    }

    /// Whatever happens to the bytes on the way, reading ends, and what is read is within bounds.
    @Test func spoiltElementsAreReadOrRefused() throws {
        var random = SplitMix64(seed: 11)
        let texts = [
            OMEMO.elements(of: Self.sealed())[0], OMEMO.element(of: try Self.bundle()),
            OMEMO.list([1, 2, 3]),
        ].map { Array($0.serialized(in: Namespace.client).utf8) }
        for _ in 0..<TestLength.cases(2000, long: 100_000) {
            var bytes = texts.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[.random(in: bytes.indices, using: &random)] = .random(in: 32...126, using: &random)
            }
            guard let element = try? XMLElementTests.read(String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            if let sealed = SealedMessage(element) {
                #expect([12, 16].contains(sealed.vector.count) || sealed.payload == nil)
            }
            if let bundle = OMEMO.bundle(in: items(element)) { #expect(bundle.identityKey.count == 33) }
            #expect(OMEMO.devices(in: items(element))?.allSatisfy(DeviceAddress.isValid) ?? true)
        }
    }
}
